package dev.fairlead.simulator.share;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.RealStorage;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds what the services of a box have really loaded: the rows of their tables as they were at the last reload, which
 * a box does at the end of each call that changes a row. A service always loads all of its rows.
 */
public final class EffectiveRows implements Engine.ChangeListener {
    private static final Map<String, List<String>> TABLES = Map.of(
            "sharing.nfs.", List.of("nfs_share"),
            "sharing.smb.", List.of("smb_share"),
            "iscsi.", List.of("iscsi_target", "iscsi_initiator", "iscsi_extent", "iscsi_targetextent"),
            "nvmet.",
                    List.of("nvmet_subsys", "nvmet_namespace", "nvmet_host", "nvmet_host_subsys", "nvmet_port_subsys"));

    private static final String SESSIONS = "iscsi_session";

    private final Store store;
    private final RealStorage real;
    private final Map<String, JsonObject> loaded = new ConcurrentHashMap<>();

    /** Loads all, of a box that is all simulated. */
    public EffectiveRows(Store store) {
        this(store, RealStorage.NONE);
    }

    /** Loads all, as the start of a box does. */
    public EffectiveRows(Store store, RealStorage real) {
        this.store = store;
        this.real = real;
        reload();
    }

    /** Loads all. */
    public void reload() {
        TABLES.values().forEach(this::load);
        serve();
    }

    /** Holds the state's lock meanwhile, so that of two reloads the later one counts. */
    private void serve() {
        var _ = store.read(_ -> {
            real.serve(this::view);
            return true;
        });
    }

    private void load(List<String> tables) {
        JsonObject dump = store.read(Tables::dump);
        tables.forEach(table -> loaded.put(table, JsonTools.child(dump, table)));
    }

    @Override
    public void changed(String method) {
        if (method.startsWith("service.") || method.equals("pool.dataset.delete")) reload();
        boolean changes = method.endsWith(".create") || method.endsWith(".update") || method.endsWith(".delete");
        if (changes) {
            Tables before = view();
            boolean ofSmb = method.startsWith("sharing.smb.");
            if (ofSmb) SmbSessions.comeBack(store, before); // before the service loads who is let in from now on
            TABLES.entrySet().stream()
                    .filter(each -> method.startsWith(each.getKey()))
                    .forEach(each -> load(each.getValue()));
            serve();
            if (ofSmb) SmbSessions.comeBack(store, view());
            if (method.startsWith("iscsi.")) endSessions(new Admission(before), new Admission(view()));
        }
    }

    /** Ends the sessions with targets of LIO that are gone, and of initiators that it named and names no more. */
    private void endSessions(Admission before, Admission now) {
        if (!now.isLio()) return;
        List<JsonObject> over = store.read(tables -> tables.rows(SESSIONS)).stream()
                .filter(session -> {
                    String target = JsonTools.text(session, "target");
                    String initiator = JsonTools.text(session, "initiator");
                    return !now.isReached(target)
                            || (before.names(target, initiator)
                                    && !now.names(target, initiator)
                                    && !now.iscsi(target, initiator));
                })
                .toList();
        if (!over.isEmpty())
            store.update(tables -> over.forEach(
                    session -> tables.remove(SESSIONS, session.get("id").getAsLong())));
    }

    /** Returns the tables of which a service has loaded other rows than there are. */
    public List<String> behind() {
        JsonObject dump = store.read(Tables::dump);
        return TABLES.values().stream()
                .flatMap(List::stream)
                .filter(table -> !JsonTools.child(dump, table).equals(loaded.get(table)))
                .sorted()
                .toList();
    }

    /** Returns the rows of all tables: those of services as they are loaded, all others as they are. */
    public Tables view() {
        Tables view = new Tables();
        store.read(Tables::dump)
                .entrySet()
                .forEach(table -> loaded.getOrDefault(
                                table.getKey(), table.getValue().getAsJsonObject())
                        .entrySet()
                        .forEach(row -> view.put(
                                table.getKey(), row.getKey(), row.getValue().getAsJsonObject())));
        return view;
    }
}
