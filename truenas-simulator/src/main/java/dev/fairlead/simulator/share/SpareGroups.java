package dev.fairlead.simulator.share;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges the groups of initiators that Fairlead made and that no target names: a call that was cut may still give one
 * to its target, so none may let in who is not let in by then (ADR 44 of Fairlead).
 */
public final class SpareGroups {
    private static final String COMMENT = "fairlead: nodes of ";
    private static final int MOST = 3;

    private final Tables tables;

    /** Makes it on a state. */
    public SpareGroups(Tables tables) {
        this.tables = tables;
    }

    /** Says whether Fairlead made a group; no other is judged here. */
    public static boolean isOurs(JsonObject group) {
        return JsonTools.text(group, "comment").startsWith(COMMENT);
    }

    /**
     * Lists what is wrong with them.
     *
     * @param nodes the initiators that there are; a name of nobody's lets nobody in
     */
    public List<String> wrong(Set<String> nodes) {
        Admission admission = new Admission(tables);
        Map<String, Integer> counts = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (JsonObject group : tables.rows("iscsi_initiator")) {
            if (!isOurs(group) || isNamed(group)) continue;
            String target = JsonTools.text(group, "comment").substring(COMMENT.length());
            if (!isThere(target)) wrong.add("a group of the target " + target + ", which is gone");
            if (counts.merge(target, 1, Integer::sum) == MOST + 1) wrong.add("many groups of the target " + target);
            nodes.stream()
                    .filter(node -> letsIn(group, node) && !admission.iscsi(target, node))
                    .forEach(node -> wrong.add("a group of the target " + target + " that may let in " + node));
        }
        return wrong;
    }

    private boolean isNamed(JsonObject group) {
        return tables.rows("iscsi_target").stream()
                .flatMap(target -> JsonTools.list(target, "groups").asList().stream())
                .map(JsonElement::getAsJsonObject)
                .anyMatch(each -> group.get("id").equals(each.get("initiator")));
    }

    private boolean isThere(String target) {
        return tables.rows("iscsi_target").stream()
                .anyMatch(row -> JsonTools.text(row, "name").equals(target));
    }

    private static boolean letsIn(JsonObject group, String node) {
        JsonArray names = JsonTools.list(group, "initiators");
        return names.isEmpty() || names.contains(JsonTools.of(node));
    }
}
