package dev.fairlead.simulator.share;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Filters;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Roles;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Set;

/**
 * Keeps which hosts use which share of SMB, and tells them by smb.status. A host whose session is ended comes back at
 * once if it is one that does so, as clients of SMB do, and if the share lets it in as it is loaded at that moment.
 */
final class SmbSessions {
    /** The table of hosts that use a share, by its name. */
    static final String TABLE = "smb_session";

    private static final String RETURNS = "returns";
    private static final String ENDED = "ended";

    private final Store store;

    private SmbSessions(Store store) {
        this.store = store;
    }

    /** Adds smb.status, but on CORE: nobody has described the form of its answer there. */
    static void addTo(Methods methods, Store store) {
        methods.add(Method.of("smb.status", new SmbSessions(store)::status)
                .takes("info_level", "query-filters", "query-options", "status_options")
                .since(Profile.SCALE_24_10));
    }

    private JsonElement status(Call call) {
        if (!Roles.allow(call.caller().identity().roles(), roles(call.box()))) throw ApiFailure.forbidden();
        List<JsonObject> rows = store.read(tables -> tables.rows(TABLE).stream()
                .filter(SmbSessions::isOn)
                .map(call.text(0).equals("SHARES") ? SmbSessions::connection : SmbSessions::session)
                .toList());
        return Filters.answer(rows, call.list(1), call.object(2));
    }

    /** Returns the roles that a box asks for: on 25.10 the method is private, for those who may do everything. */
    private static Set<String> roles(Profile box) {
        if (box.since(Profile.V26_BETA)) return Set.of("SHARING_SMB_READ");
        return box.since(Profile.V25_10_0) ? Set.of(Roles.FULL_ADMIN) : Set.of("SHARING_SMB_WRITE", "READONLY_ADMIN");
    }

    private static JsonObject connection(JsonObject row) {
        String id = row.get("id").getAsString();
        return JsonTools.object(
                "service",
                JsonTools.text(row, "share"),
                "server_id",
                JsonTools.object("pid", "2000", "task_id", "0", "vnn", "4294967295", "unique_id", id),
                "tcon_id",
                id,
                "session_id",
                id,
                "machine",
                JsonTools.text(row, "host"),
                "connected_at",
                "2026-01-01T00:00:00.000000+00:00",
                "encryption",
                JsonTools.object("cipher", "-", "degree", "none"),
                "signing",
                JsonTools.object("cipher", "-", "degree", "none"));
    }

    private static JsonObject session(JsonObject row) {
        String host = JsonTools.text(row, "host");
        return JsonTools.object(
                "session_id",
                row.get("id").getAsString(),
                "username",
                "keeper",
                "groupname",
                "keeper",
                "remote_machine",
                host,
                "hostname",
                (host.contains(":") ? "ipv6:" : "ipv4:") + host + ":40000",
                "session_dialect",
                "SMB3_11");
    }

    /** Says whether a session goes on: one that was ended may come back. */
    static boolean isOn(JsonObject session) {
        return !JsonTools.flag(session, ENDED, false);
    }

    /** Ends the sessions of a share. */
    static void close(Tables tables, JsonObject share) {
        tables.rows(TABLE).stream()
                .filter(session -> JsonTools.text(session, "share").equalsIgnoreCase(JsonTools.text(share, "name")))
                .forEach(session -> {
                    if (JsonTools.flag(session, RETURNS, false))
                        tables.put(TABLE, JsonTools.with(session, ENDED, JsonTools.of(true)));
                    else tables.remove(TABLE, session.get("id").getAsLong());
                });
    }

    /** Opens the sessions again of hosts that come back, as far as the loaded shares let them in. */
    static void comeBack(Store store, Tables loaded) {
        Admission admission = new Admission(loaded);
        List<JsonObject> back = loaded.rows(TABLE).stream()
                .filter(session -> !isOn(session)
                        && admission.mayConnect(JsonTools.text(session, "share"), JsonTools.text(session, "host")))
                .toList();
        if (back.isEmpty()) return;
        store.update(tables ->
                back.forEach(session -> tables.put(TABLE, JsonTools.with(session, ENDED, JsonTools.of(false)))));
    }
}
