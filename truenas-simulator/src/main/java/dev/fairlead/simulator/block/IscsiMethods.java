package dev.fairlead.simulator.block;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Filters;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.engine.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;

/** The methods of iscsi. */
public final class IscsiMethods {
    private static final String INITIATORS = "iscsi_initiator";

    private final Store store;

    /** Makes them on a state. */
    public IscsiMethods(Store store) {
        this.store = store;
    }

    /** Adds them, and that extents go before their volume, and targets that lead to nothing else with them. */
    public void addTo(Methods methods, Attachments attachments) {
        methods.add(Method.of("iscsi.global.config", this::config).roles("SHARING_ISCSI_GLOBAL_READ"));
        methods.add(Method.of("iscsi.global.sessions", this::sessions)
                .roles("SHARING_ISCSI_GLOBAL_READ")
                .takes("filters", "options"));
        table("iscsi.portal", "iscsi_portal", "ISCSIPortal", new Plain("comment", "listen"))
                .addTo(methods, "SHARING_ISCSI_PORTAL", IscsiMethods::always, "id");
        table("iscsi.initiator", INITIATORS, "iSCSITargetAuthorizedInitiator", new Initiators())
                .addTo(methods, "SHARING_ISCSI_INITIATOR", IscsiMethods::always, "id");
        table("iscsi.auth", "iscsi_auth", "iSCSITargetAuthCredential", new Plain("peeruser", "peersecret"))
                .addTo(methods, "SHARING_ISCSI_AUTH", IscsiMethods::always, "id");
        table("iscsi.target", TargetTable.TARGETS, "iSCSITarget", new TargetTable())
                .addTo(methods, "SHARING_ISCSI_TARGET", IscsiMethods::always, "id", "force", "delete_extents");
        table("iscsi.extent", ExtentTable.EXTENTS, "iSCSITargetExtent", new ExtentTable())
                .addTo(methods, "SHARING_ISCSI_EXTENT", IscsiMethods::always, "id", "remove", "force");
        table("iscsi.targetextent", TargetTable.ASSOCIATIONS, "iSCSITargetToExtent", new Associations())
                .addTo(methods, "SHARING_ISCSI_TARGETEXTENT", IscsiMethods::always, "id", "force");
        attachments.add(IscsiMethods::release);
    }

    private static boolean always(Profile box, Profile api) {
        return box.since(Profile.CORE_13_0) && api.since(Profile.CORE_13_0);
    }

    private BlockTable table(String namespace, String table, String singular, BlockTable.Kind kind) {
        return new BlockTable(store, namespace, table, singular, kind);
    }

    private JsonElement config(Call call) {
        return store.read(tables -> {
            JsonObject shown = tables.row("iscsi_global", "config").orElseThrow().deepCopy();
            if (!call.box().since(Profile.V26_BETA)) return shown;
            if (!shown.has("mode")) shown.addProperty("mode", 0);
            return JsonTools.with(shown, "direct_config", JsonNull.INSTANCE);
        });
    }

    private JsonElement sessions(Call call) {
        List<JsonObject> rows = store.read(tables -> tables.rows("iscsi_session"));
        return Filters.answer(rows, call.list(0), call.object(1));
    }

    private static void release(Tables tables, String dataset) {
        for (JsonObject extent : tables.rows(ExtentTable.EXTENTS)) {
            if (!Attachments.isVolumeOf(extent, "disk", dataset)) continue;
            for (JsonObject each : TargetTable.associations(tables, "extent", extent)) {
                tables.remove(TargetTable.ASSOCIATIONS, JsonTools.number(each, "id", 0));
                JsonObject target = BlockTable.named(tables, TargetTable.TARGETS, each, "target");
                if (TargetTable.associations(tables, "target", target).isEmpty())
                    tables.remove(TargetTable.TARGETS, JsonTools.number(target, "id", 0));
            }
            tables.remove(ExtentTable.EXTENTS, JsonTools.number(extent, "id", 0));
        }
    }

    /** Rows without rules of their own. */
    private record Plain(String text, String other) implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            return JsonTools.object(text, "", other, other.equals("listen") ? new JsonArray() : "");
        }

        @Override
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            if (row.has("secret") && !JsonTools.text(row, "secret").matches(".{12,16}"))
                violations.add(
                        Violation.of(call.schema() + ".secret", "Secret must be between 12 and 16 characters."));
        }
    }

    /** Groups of initiators; a target whose group goes lets everybody in. */
    private static final class Initiators implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            return JsonTools.object("initiators", new JsonArray(), "comment", "");
        }

        @Override
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            // any text is an initiator's name
        }

        @Override
        public void release(Tables tables, Call call, JsonObject row) {
            for (JsonObject target : tables.rows(TargetTable.TARGETS)) {
                JsonArray groups = new JsonArray();
                for (JsonElement each : JsonTools.list(target, "groups")) {
                    JsonObject group = each.getAsJsonObject();
                    boolean gone = JsonTools.number(group, "initiator", 0) == JsonTools.number(row, "id", -1);
                    groups.add(gone ? JsonTools.with(group, "initiator", JsonNull.INSTANCE) : group);
                }
                tables.put(TargetTable.TARGETS, JsonTools.with(target, "groups", groups));
            }
        }
    }

    /** Which extent is which unit of which target. */
    private static final class Associations implements BlockTable.Kind {
        @Override
        public JsonObject defaults(Tables tables, Call call) {
            return JsonTools.object("lunid", JsonNull.INSTANCE);
        }

        @Override
        public void check(Tables tables, Call call, JsonObject row, List<Violation> violations) {
            String schema = call.schema() + ".";
            long target = JsonTools.number(row, "target", 0);
            if (tables.row(TargetTable.TARGETS, target).isEmpty())
                violations.add(Violation.of(schema + "target", "Target does not exist"));
            if (tables.row(ExtentTable.EXTENTS, JsonTools.number(row, "extent", 0)).isEmpty())
                violations.add(Violation.of(schema + "extent", "Extent does not exist"));
            List<JsonObject> others = tables.rows(TargetTable.ASSOCIATIONS).stream()
                    .filter(other -> JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0))
                    .toList();
            List<Long> units = others.stream()
                    .filter(other -> JsonTools.number(other, "target", 0) == target)
                    .map(other -> JsonTools.number(other, "lunid", 0))
                    .toList();
            if (JsonTools.at(row, "lunid").isEmpty()) {
                long free = 0;
                while (units.contains(free)) free++;
                row.addProperty("lunid", free);
            } else if (units.contains(JsonTools.number(row, "lunid", 0)))
                violations.add(Violation.of(schema + "lunid", "LUN ID is already being used for this target."));
            if (others.stream()
                    .anyMatch(other -> JsonTools.number(other, "extent", -1) == JsonTools.number(row, "extent", 0)))
                violations.add(Violation.of(schema + "extent", "Extent is already in use."));
        }

        @Override
        public void release(Tables tables, Call call, JsonObject row) {
            TargetTable.refuseInUse(
                    tables, BlockTable.named(tables, TargetTable.TARGETS, row, "target"), call.flag(1));
        }
    }
}
