package dev.fairlead.simulator.pool;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.List;

/** Takes snapshots of a dataset and of what is below it, all at one moment, except of what is excluded. */
final class GroupSnapshot {
    private final Zfs zfs;
    private final List<String> excluded;

    GroupSnapshot(Zfs zfs, List<String> excluded) {
        this.zfs = zfs;
        this.excluded = excluded;
    }

    void take(Tables tables, String dataset, String name, JsonObject user, boolean recursive) {
        if (!out(dataset)) zfs.snapshot(tables, dataset, name, user);
        if (!recursive) return;
        for (JsonObject child : zfs.children(tables, dataset)) {
            String each = JsonTools.text(child, "name");
            if (!out(each)) zfs.snapshot(tables, each, name, user);
        }
    }

    private boolean out(String dataset) {
        return excluded.contains(dataset);
    }
}
