package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the groups of initiators by which closed volumes are reached. Each is named after one target, by its comment,
 * and is used by no other.
 *
 * <p>A group is never changed: other nodes are another group. So a change that a box does late, after its call was cut,
 * names a group that is gone, and the box refuses it.
 */
record InitiatorGroups(ExportRows rows) {
    private static final String COMMENT = "comment";
    private static final String INITIATORS = "initiators";

    private static String comment(String target) {
        return "fairlead: nodes of " + target;
    }

    /** Returns the group of exactly these nodes, which is made if there is none. There is at least one node. */
    long of(String target, Set<String> nodes, Work work) {
        Optional<JsonObject> there = find(target, nodes, work);
        if (there.isPresent()) {
            return ExportRows.id(there.get());
        }
        var names = new JsonArray();
        nodes.forEach(names::add);
        var fields = new JsonObject();
        fields.add(INITIATORS, names);
        fields.addProperty(COMMENT, comment(target));
        return ExportRows.id(rows.make(
                ApiCollection.ISCSI_INITIATOR,
                fields,
                "initiators of " + target,
                () -> find(target, nodes, work),
                work));
    }

    private Optional<JsonObject> find(String target, Set<String> nodes, Work work) {
        return all(target, work).stream()
                .filter(group -> new TreeSet<>(Json.texts(group, INITIATORS)).equals(nodes))
                .findFirst();
    }

    private List<JsonObject> all(String target, Work work) {
        return rows.of(ApiCollection.ISCSI_INITIATOR, COMMENT, comment(target), work);
    }

    /** Says whether one of these ways is for a group of ours. */
    boolean areAmong(String target, List<TargetGroup> ways, Work work) {
        return all(target, work).stream()
                .anyMatch(group -> ways.stream()
                        .anyMatch(way -> way.initiator()
                                .filter(id -> id == ExportRows.id(group))
                                .isPresent()));
    }

    /**
     * Deletes the groups of a target, except one. A box lets everybody in by a target whose group is deleted, so the
     * target has to have gone before, or to name other groups.
     *
     * @return whether there were any
     */
    boolean deleteOthers(String target, Optional<Long> kept, Work work) {
        List<JsonObject> others = all(target, work).stream()
                .filter(group -> kept.filter(id -> id == ExportRows.id(group)).isEmpty())
                .toList();
        others.forEach(group -> rows.delete(ApiCollection.ISCSI_INITIATOR, group, "initiators of " + target, work));
        return !others.isEmpty();
    }
}
