package dev.fairlead.simulator.block;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.RowMethods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers the methods of iscsi.initiator, iscsi.portal and iscsi.auth. */
public final class GroupMethods extends RowMethods {
    private final Kind kind;

    private GroupMethods(Store store, Kind kind) {
        super(store, kind.namespace, kind.table, kind.singular, kind.role);
        this.kind = kind;
    }

    private enum Kind {
        INITIATOR(
                "iscsi.initiator",
                "iscsi_initiator",
                "iSCSITargetAuthorizedInitiator",
                "SHARING_ISCSI_INITIATOR",
                "iscsi_initiator"),
        PORTAL("iscsi.portal", "iscsi_portal", "ISCSIPortal", "SHARING_ISCSI_PORTAL", "iscsi_portal"),
        AUTH("iscsi.auth", "iscsi_auth", "iSCSITargetAuthCredential", "SHARING_ISCSI_AUTH", "data");

        private final String namespace;
        private final String table;
        private final String singular;
        private final String role;
        private final String payload;

        Kind(String namespace, String table, String singular, String role, String payload) {
            this.namespace = namespace;
            this.table = table;
            this.singular = singular;
            this.role = role;
            this.payload = payload;
        }
    }

    /** Adds them all. */
    public static void addTo(Methods methods, Store store) {
        for (Kind kind : Kind.values()) new GroupMethods(store, kind).add(methods, (box, api) -> true, kind.payload);
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return switch (kind) {
            case INITIATOR -> JsonTools.object("id", 0, "initiators", new JsonArray(), "comment", "");
            case PORTAL -> JsonTools.object("id", 0, "listen", new JsonArray(), "tag", 0, "comment", "");
            case AUTH ->
                JsonTools.object(
                        "id",
                        0,
                        "tag",
                        0,
                        "user",
                        "",
                        "secret",
                        "",
                        "peeruser",
                        "",
                        "peersecret",
                        "",
                        "discovery_auth",
                        "NONE");
        };
    }

    @Override
    protected JsonObject kept(Call call, JsonObject payload) {
        if (kind != Kind.PORTAL || !payload.has("listen")) return payload;
        JsonArray listen = new JsonArray();
        for (JsonElement each : JsonTools.list(payload, "listen"))
            listen.add(JsonTools.merged(JsonTools.object("ip", "", "port", 3260), each.getAsJsonObject()));
        return JsonTools.with(payload, "listen", listen);
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        return kind == Kind.PORTAL && JsonTools.number(row, "tag", 0) == 0
                ? JsonTools.with(row, "tag", row.get("id"))
                : row;
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        List<Violation> refused = new ArrayList<>();
        if (kind != Kind.AUTH) return refused;
        String schema = before.isEmpty() ? "iscsi_auth_create." : "iscsi_auth_update.";
        int length = JsonTools.text(row, "secret").length();
        if (length < 12 || length > 16)
            refused.add(Violation.of(schema + "secret", "Secret must be between 12 and 16 characters."));
        int peer = JsonTools.text(row, "peersecret").length();
        if (!JsonTools.text(row, "peeruser").isEmpty() && (peer < 12 || peer > 16))
            refused.add(Violation.of(schema + "peersecret", "Peer secret must be between 12 and 16 characters."));
        return refused;
    }

    // A target whose group of initiators is deleted lets everybody in.
    @Override
    protected void removing(Tables tables, Call call, JsonObject row) {
        if (kind != Kind.INITIATOR) return;
        long gone = row.get("id").getAsLong();
        for (JsonObject target : tables.rows(TargetMethods.TARGETS)) {
            JsonArray groups = JsonTools.list(target, "groups").deepCopy();
            for (JsonElement group : groups)
                if (JsonTools.number(group.getAsJsonObject(), "initiator", 0) == gone)
                    group.getAsJsonObject().add("initiator", JsonNull.INSTANCE);
            tables.put(TargetMethods.TARGETS, JsonTools.with(target, "groups", groups));
        }
    }
}
