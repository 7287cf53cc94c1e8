package dev.fairlead.simulator.pool;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;

/**
 * The recursive destruction of 26: it releases holds and destroys the clones of what it destroys too, which are other
 * volumes.
 */
final class Destruction {
    private final Zfs zfs;

    Destruction(Zfs zfs) {
        this.zfs = zfs;
    }

    void withClones(Tables tables, String name) {
        for (JsonObject child : zfs.children(tables, name)) withClones(tables, JsonTools.text(child, "name"));
        if (zfs.dataset(tables, name).isEmpty()) return;
        for (JsonObject snapshot : zfs.snapshots(tables, name)) {
            String id = JsonTools.text(snapshot, "name");
            zfs.clones(tables, id).forEach(clone -> withClones(tables, clone));
            tables.remove(Zfs.SNAPSHOTS, id);
        }
        zfs.forget(tables, name);
    }
}
