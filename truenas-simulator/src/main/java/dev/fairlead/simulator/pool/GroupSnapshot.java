package dev.fairlead.simulator.pool;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.ArrayList;
import java.util.List;

/** Takes snapshots of a dataset and of what is below it, all in one transaction, except of what is excluded. */
final class GroupSnapshot {
    private static final String TRANSACTION = "createtxg";

    private final Zfs zfs;
    private final List<String> excluded;

    GroupSnapshot(Zfs zfs, List<String> excluded) {
        this.zfs = zfs;
        this.excluded = excluded;
    }

    void take(Tables tables, String dataset, String name, JsonObject user, boolean recursive) {
        List<JsonObject> taken = new ArrayList<>();
        if (!out(dataset)) taken.add(zfs.snapshot(tables, dataset, name, user));
        if (!recursive) return;
        for (JsonObject child : zfs.children(tables, dataset)) {
            String each = JsonTools.text(child, "name");
            if (!out(each)) taken.add(zfs.snapshot(tables, each, name, user));
        }
        for (JsonObject row : taken) {
            JsonObject together =
                    JsonTools.with(row, TRANSACTION, taken.getFirst().get(TRANSACTION));
            tables.put(Zfs.SNAPSHOTS, JsonTools.text(row, "name"), together);
        }
    }

    private boolean out(String dataset) {
        return excluded.contains(dataset);
    }
}
