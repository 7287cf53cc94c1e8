package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.pool.identity.PlacedPool;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.Optional;

/**
 * Holds a pool and the store that serves it.
 *
 * @param place where its volumes are, if they have a place of their own
 */
record OpenPool(PoolSettings settings, PoolIds ids, VolumeStore store, Optional<PlacedPool> place) {
    OpenPool(PoolSettings settings, VolumeStore store, Optional<PlacedPool> place) {
        this(settings, PoolIds.of(settings.name()), store, place);
    }

    /** Returns a volume as the connection knows it. */
    StoredVolume outer(StoredVolume volume) {
        StoredVolume all = ids.outer(volume);
        Optional<Placement> own =
                settings.everywhere() ? Optional.of(Placement.ANYWHERE) : place.map(PlacedPool::placement);
        return own.isPresent()
                ? new StoredVolume(all.id(), all.name(), all.capacity(), all.medium(), all.content(), all.notes(), own)
                : all;
    }

    /** Throws if nothing may be made or grow here, since the disk is not the one that its node is known by. */
    void checkDisk() {
        place.flatMap(PlacedPool::elsewhere).ifPresent(why -> {
            throw new StorageException(why);
        });
    }

    SnapshotStore snapshots() {
        return store.snapshots()
                .orElseThrow(() -> new IllegalStateException("pool " + settings.name() + " takes no snapshots"));
    }
}
