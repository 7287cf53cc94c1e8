package dev.fairlead.adapter.local.pool;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keeps each snapshot in the pool of its volume.
 *
 * @param volumes the pools, found by ids of volumes
 * @param pools the pools, found by ids of snapshots
 */
record PooledSnapshotStore(OpenPools volumes, OpenPools pools) implements SnapshotStore {
    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        OpenPool pool = volumes.proven(request.source(), work)
                .orElseThrow(() -> new StorageException(
                        new Failure.VolumeNotFound(request.source().value())));
        pools.refuseOther(pool, request.parameters());
        pool.checkDisk();
        SnapshotRequest inner = new SnapshotRequest(
                request.name(), pool.ids().inner(request.source()).orElse(request.source()), request.parameters());
        int most = pool.ids().most(maxIdBytes);
        StoredSnapshot taken =
                pool.ids().outer(pools.at(pool, work, () -> pool.snapshots().take(inner, most, work)));
        pools.making(taken.id());
        return taken;
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        return pools.in(
                        id,
                        work,
                        (pool, inner) -> pool.snapshots().find(inner, work).map(pool.ids()::outer))
                .flatMap(found -> found);
    }

    /** Returns the one of any pool. A pool that does not tell matters only if no other one has it. */
    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        List<StorageException> untold = new ArrayList<>();
        for (OpenPool pool : pools.every()) {
            try {
                Optional<StoredSnapshot> found =
                        pools.at(pool, work, () -> pool.snapshots().findByName(name, work));
                if (found.isPresent()) {
                    return found.map(pool.ids()::outer);
                }
            } catch (StorageException e) {
                untold.add(e);
            }
        }
        if (!untold.isEmpty()) {
            throw untold.getFirst();
        }
        return Optional.empty();
    }

    @Override
    public void delete(NativeId id, Work work) {
        pools.checkKnown(id, work);
        var _ = pools.in(id, work, (pool, inner) -> {
            pool.snapshots().delete(inner, work);
            return inner;
        });
        pools.deleted(id);
    }

    @Override
    public Optional<SnapshotGroups> groups() {
        return Optional.of(new PooledSnapshotGroups(volumes, pools));
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        OpenPools asked = source.isEmpty()
                ? pools
                : pools.only(volumes.proven(source.get(), work).stream().toList(), List.of());
        return asked.page(
                page,
                (pool, part) -> {
                    Page<StoredSnapshot> some = pools.at(
                            pool, work, () -> pool.snapshots().list(source.flatMap(pool.ids()::inner), part, work));
                    return new Page<>(
                            some.items().stream().map(pool.ids()::outer).toList(), some.more());
                },
                StoredSnapshot::id);
    }
}
