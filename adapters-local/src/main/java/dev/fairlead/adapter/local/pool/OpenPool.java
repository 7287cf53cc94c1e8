package dev.fairlead.adapter.local.pool;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;

/** Holds a pool and the store that serves it. */
record OpenPool(PoolSettings settings, PoolIds ids, VolumeStore store) {
    OpenPool(PoolSettings settings, VolumeStore store) {
        this(settings, PoolIds.of(settings.name()), store);
    }

    SnapshotStore snapshots() {
        return store.snapshots()
                .orElseThrow(() -> new IllegalStateException("pool " + settings.name() + " takes no snapshots"));
    }
}
