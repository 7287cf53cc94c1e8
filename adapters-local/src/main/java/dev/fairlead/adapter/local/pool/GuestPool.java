package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.pool.hostpath.HostpathStore;
import dev.fairlead.adapter.local.pool.identity.PlacedPool;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;

/**
 * Serves what kubevirt's hostpath-provisioner made in a pool. That program knows it by bare names, whichever pool it is
 * in; ids that begin with the pool are taken too.
 */
record GuestPool(PoolSettings settings, HostpathStore store, Optional<PlacedPool> place) {
    /** Returns the pool for ids of the form that this one has; empty if they are another pool's. */
    Optional<OpenPool> as(NativeId id) {
        PoolIds named = PoolIds.of(settings.name());
        if (id.value().indexOf('/') < 0) {
            return Optional.of(bare());
        }
        return named.has(id) ? Optional.of(OpenPool.ofGuest(settings, named, store, place)) : Optional.empty();
    }

    /** Returns the pool with the ids by which that program knows what it made. */
    OpenPool bare() {
        return OpenPool.ofGuest(settings, PoolIds.of(PoolReader.DEFAULT), store, place);
    }

    boolean holds(PoolItem item, String id) {
        return switch (item) {
            case VOLUME -> store.holds(id);
            case SNAPSHOT -> store.holdsSnapshot(id);
        };
    }

    /** Throws if it cannot be told whether what has this id is gone. */
    void proveAbsence(PoolItem item, NativeId id, Work work) {
        switch (item) {
            case VOLUME -> store.proveAbsence(id, work);
            case SNAPSHOT -> store.proveSnapshotAbsence(id, work);
        }
    }
}
