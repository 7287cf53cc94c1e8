package dev.fairlead.adapter.local.pool;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Optional;

/** Holds a pool and the store that serves it. */
record OpenPool(PoolSettings settings, PoolIds ids, VolumeStore store) {
    OpenPool(PoolSettings settings, VolumeStore store) {
        this(settings, PoolIds.of(settings.name()), store);
    }

    /** Returns a volume as the connection knows it. */
    StoredVolume outer(StoredVolume volume) {
        StoredVolume all = ids.outer(volume);
        return settings.everywhere()
                ? new StoredVolume(
                        all.id(),
                        all.name(),
                        all.capacity(),
                        all.medium(),
                        all.content(),
                        all.notes(),
                        Optional.of(Placement.ANYWHERE))
                : all;
    }

    SnapshotStore snapshots() {
        return store.snapshots()
                .orElseThrow(() -> new IllegalStateException("pool " + settings.name() + " takes no snapshots"));
    }
}
