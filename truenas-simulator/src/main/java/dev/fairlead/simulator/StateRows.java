package dev.fairlead.simulator;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads the rows that volumes, snapshots and exports leave on a box from a dump of its state. */
public final class StateRows {
    /** Begins the names of properties by which Fairlead notes calls that may come late (ADR 39). */
    public static final String CALL_NOTE = "dev.fairlead:call.";

    /** Begins the names of properties by which Fairlead notes copies that a job makes (ADR 43). */
    public static final String COPY_NOTE = "dev.fairlead:copy.";

    /**
     * The tables that outlive volumes: who called, what was numbered, what an administrator has set up, and the hosts
     * of NVMe, since all volumes of a node share its row.
     */
    private static final Set<String> KEPT = Set.of(
            "api_key",
            "group",
            "iscsi_global",
            "nvmet_global",
            "nvmet_host",
            "privilege",
            "secret",
            "sequence",
            "service",
            "user");

    private StateRows() {}

    /** Returns the rows of all tables that volumes leave traces in, each as its table and its key. */
    public static Set<String> rows(JsonObject dump) {
        Set<String> rows = new TreeSet<>();
        dump.asMap().forEach((table, all) -> {
            if (!KEPT.contains(table)) {
                all.getAsJsonObject().keySet().forEach(key -> rows.add(table + " " + key));
            }
        });
        return rows;
    }

    /** Returns the user properties of a dataset, or of a snapshot if the name is one's. */
    public static Map<String, String> properties(JsonObject dump, String name) {
        Map<String, String> all = new TreeMap<>();
        JsonObject row = dump.getAsJsonObject(name.contains("@") ? "snapshot" : "dataset")
                .getAsJsonObject(name);
        JsonTools.child(row, "user").asMap().forEach((key, value) -> all.put(key, value.getAsString()));
        return all;
    }
}
