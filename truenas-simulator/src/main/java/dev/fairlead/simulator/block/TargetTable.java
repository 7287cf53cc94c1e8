package dev.fairlead.simulator.block;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.engine.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Targets of iSCSI: who reaches them by which portal. */
final class TargetTable implements BlockTable.Kind {
    static final String TARGETS = "iscsi_target";
    static final String ASSOCIATIONS = "iscsi_targetextent";

    @Override
    public JsonObject defaults(Tables tables, Call call) {
        JsonObject row = JsonTools.object(
                "alias",
                JsonNull.INSTANCE,
                "mode",
                "ISCSI",
                "groups",
                new JsonArray(),
                "auth_networks",
                new JsonArray(),
                "rel_tgt_id",
                tables.rows(TARGETS).size() + 1);
        row.add("iscsi_parameters", JsonNull.INSTANCE);
        return row;
    }

    @Override
    public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
        String schema = call.schema() + ".";
        if (!JsonTools.text(row, "name").matches("[-a-z0-9.:]+"))
            violations.add(
                    Violation.of(
                            schema + "name",
                            "Only lowercase alphanumeric characters plus dot (.), dash (-), and colon (:) are allowed."));
        if (BlockTable.taken(tables, TARGETS, row, "name"))
            violations.add(Violation.of(schema + "name", "Target with this name already exists"));
        if (JsonTools.at(row, "alias").isPresent() && BlockTable.taken(tables, TARGETS, row, "alias"))
            violations.add(Violation.of(schema + "alias", "Alias already exists"));
        JsonArray groups = new JsonArray();
        Set<Long> portals = new HashSet<>();
        for (JsonElement each : JsonTools.list(row, "groups")) {
            JsonObject group = JsonTools.merged(
                    JsonTools.object(
                            "initiator", JsonNull.INSTANCE, "auth", JsonNull.INSTANCE, "authmethod", "NONE"),
                    each.getAsJsonObject());
            check(tables, schema + "groups." + groups.size() + ".", group, portals, violations);
            groups.add(group);
        }
        row.add("groups", groups);
    }

    private static void check(
            Tables tables, String schema, JsonObject group, Set<Long> portals, List<Violation> violations) {
        long portal = JsonTools.number(group, "portal", 0);
        if (!portals.add(portal))
            violations.add(
                    Violation.of(schema + "portal", "Portal " + portal + " cannot be duplicated on a target"));
        if (tables.row("iscsi_portal", portal).isEmpty())
            violations.add(Violation.of(schema + "portal", portal + " Portal not found in database"));
        long initiator = JsonTools.number(group, "initiator", 0);
        if (initiator != 0 && tables.row("iscsi_initiator", initiator).isEmpty())
            violations.add(Violation.of(schema + "initiator", initiator + " Initiator not found in database"));
        boolean chap = !JsonTools.text(group, "authmethod").equals("NONE");
        if (chap && JsonTools.at(group, "auth").isEmpty())
            violations.add(
                    Violation.of(schema + "auth", "Authentication group is required for CHAP and CHAP Mutual"));
    }

    @Override
    public void release(Tables tables, Call call, JsonObject row) {
        refuseInUse(tables, row, call.flag(1));
        associations(tables, "target", row).forEach(each -> {
            if (call.flag(2)) tables.remove(ExtentTable.EXTENTS, JsonTools.number(each, "extent", 0));
            tables.remove(ASSOCIATIONS, JsonTools.number(each, "id", 0));
        });
    }

    static void refuseInUse(Tables tables, JsonObject target, boolean force) {
        boolean used = tables.rows("iscsi_session").stream()
                .anyMatch(session -> JsonTools.text(session, "target").endsWith(":" + JsonTools.text(target, "name")));
        if (used && !force) throw ApiFailure.call("Target " + JsonTools.text(target, "name") + " is in use.");
    }

    /** Returns the associations of a target or an extent. */
    static List<JsonObject> associations(Tables tables, String member, JsonObject row) {
        return tables.rows(ASSOCIATIONS).stream()
                .filter(each -> JsonTools.number(each, member, -1) == JsonTools.number(row, "id", 0))
                .toList();
    }
}
