package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.DirectoryStores.OpenedStore;
import dev.fairlead.adapter.local.directory.FolderGroups;
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
 * @param groups what takes snapshots of several of its volumes; empty for what another program made
 */
record OpenPool(
        PoolSettings settings,
        PoolIds ids,
        VolumeStore store,
        Optional<PlacedPool> place,
        Optional<FolderGroups> groups) {
    OpenPool(PoolSettings settings, OpenedStore opened, Optional<PlacedPool> place) {
        this(settings, PoolIds.of(settings.name()), opened.volumes(), place, Optional.of(opened.groups()));
    }

    /** Returns the pool of what another program made there. */
    static OpenPool ofGuest(PoolSettings settings, PoolIds ids, VolumeStore store, Optional<PlacedPool> place) {
        return new OpenPool(settings, ids, store, place, Optional.empty());
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
