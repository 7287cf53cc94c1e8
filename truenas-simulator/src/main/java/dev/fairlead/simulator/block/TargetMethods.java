package dev.fairlead.simulator.block;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.RowMethods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Answers the methods of iscsi.target. */
public final class TargetMethods extends RowMethods {
    static final String TARGETS = "iscsi_target";
    static final String SESSIONS = "iscsi_session";

    private static final Pattern NAME = Pattern.compile("[-a-z0-9.:]+");

    /** Makes them on a state. */
    public TargetMethods(Store store) {
        super(store, "iscsi.target", TARGETS, "iSCSITarget", "SHARING_ISCSI_TARGET");
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        add(methods, (box, api) -> true, "iscsi_target", "force", "delete_extents");
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return JsonTools.object(
                "id",
                0,
                "name",
                "",
                "alias",
                JsonNull.INSTANCE,
                "mode",
                "ISCSI",
                "groups",
                new JsonArray(),
                "auth_networks",
                new JsonArray(),
                "rel_tgt_id",
                0,
                "iscsi_parameters",
                JsonNull.INSTANCE);
    }

    @Override
    protected JsonObject kept(Call call, JsonObject payload) {
        JsonObject kept = payload.deepCopy();
        JsonArray groups = new JsonArray();
        for (JsonElement group : JsonTools.list(payload, "groups"))
            groups.add(JsonTools.merged(
                    JsonTools.object(
                            "portal",
                            0,
                            "initiator",
                            JsonNull.INSTANCE,
                            "authmethod",
                            "NONE",
                            "auth",
                            JsonNull.INSTANCE),
                    group.getAsJsonObject()));
        if (payload.has("groups")) kept.add("groups", groups);
        return kept;
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        return JsonTools.with(row, "rel_tgt_id", row.get("id"));
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema = before.isEmpty() ? "iscsi_target_create." : "iscsi_target_update.";
        List<Violation> refused = new ArrayList<>();
        if (!NAME.matcher(JsonTools.text(row, "name")).matches())
            refused.add(Violation.of(
                    schema + "name",
                    "Lowercase alphanumeric characters plus dot (.), dash (-), and colon (:) are allowed."));
        if (taken(tables, row, "name"))
            refused.add(Violation.of(schema + "name", "Target with this name already exists"));
        if (!JsonTools.text(row, "alias").isEmpty() && taken(tables, row, "alias"))
            refused.add(Violation.of(schema + "alias", "Alias already exists"));
        groupViolations(tables, schema, JsonTools.list(row, "groups"), refused);
        return refused;
    }

    private static void groupViolations(Tables tables, String schema, JsonArray groups, List<Violation> refused) {
        Set<Long> portals = new HashSet<>();
        for (int i = 0; i < groups.size(); i++) {
            JsonObject group = groups.get(i).getAsJsonObject();
            String at = schema + "groups." + i + ".";
            long portal = JsonTools.number(group, "portal", 0);
            if (!portals.add(portal))
                refused.add(Violation.of(at + "portal", "Portal " + portal + " cannot be duplicated on a target"));
            if (tables.row("iscsi_portal", portal).isEmpty())
                refused.add(Violation.of(at + "portal", portal + " Portal not found in database"));
            long initiator = JsonTools.number(group, "initiator", 0);
            if (initiator > 0 && tables.row("iscsi_initiator", initiator).isEmpty())
                refused.add(Violation.of(at + "initiator", initiator + " Initiator not found in database"));
            boolean chap = !JsonTools.text(group, "authmethod", "NONE").equals("NONE");
            if (chap && JsonTools.number(group, "auth", 0) == 0)
                refused.add(Violation.of(at + "auth", "Authentication group is required for CHAP and CHAP Mutual"));
        }
    }

    /** Writes the target, then removes groups that it has no more, then adds those that are new. */
    @Override
    protected void put(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        JsonArray groups = JsonTools.list(row, "groups");
        JsonArray stay = new JsonArray();
        before.ifPresent(old -> JsonTools.list(old, "groups").asList().stream()
                .filter(groups::contains)
                .forEach(stay::add));
        if (!stay.equals(groups)) {
            super.put(tables, call, JsonTools.with(row, "groups", stay), before);
            call.steps().end();
        }
        super.put(tables, call, row, before);
    }

    /** Takes the links along, and the extents where that is asked. */
    @Override
    protected void removing(Tables tables, Call call, JsonObject row) {
        if (!call.flag(1) && used(tables, row))
            throw ApiFailure.call("Target " + JsonTools.text(row, "name") + " is in use.");
        for (JsonObject link : NvmeTables.where(
                tables, LinkMethods.LINKS, "target", row.get("id").getAsLong())) {
            tables.remove(LinkMethods.LINKS, link.get("id").getAsLong());
            if (call.flag(2))
                tables.remove(ExtentMethods.EXTENTS, link.get("extent").getAsLong());
            call.steps().endLoaded();
        }
        tables.put(TARGETS, JsonTools.with(row, "groups", new JsonArray()));
        call.steps().end();
    }

    static boolean used(Tables tables, JsonObject target) {
        return tables.rows(SESSIONS).stream()
                .anyMatch(session -> JsonTools.text(session, "target").equals(JsonTools.text(target, "name")));
    }
}
