package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.FolderGroups;
import dev.fairlead.adapter.local.directory.FolderGroups.GroupTake;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Keeps each group of snapshots in the pool of its volumes. The id of a group is made of its name and says no pool, so
 * each pool that may have it is asked; one that does not tell matters only if no other one has it.
 *
 * @param volumes the pools, found by ids of volumes
 * @param pools the pools, found by ids of snapshots
 */
record PooledSnapshotGroups(OpenPools volumes, OpenPools pools) implements SnapshotGroups {
    @Override
    public NativeId idOf(CsiName name, int maxIdBytes) {
        return FolderGroups.idOf(name, maxIdBytes);
    }

    @Override
    public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
        NativeId id = idOf(request.name(), maxIdBytes);
        Optional<StoredGroup> known = first(work, groups -> groups.existing(id, work));
        if (known.isPresent()) {
            return known.get();
        }
        OpenPool pool = poolOf(request, work);
        pools.refuseOther(pool, request.parameters());
        FolderGroups groups = pool.groups()
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        "a group snapshot of volumes that another program made in pool '"
                                + pool.settings().name() + "', which have no instant in common",
                        "take a snapshot of each volume")));
        pool.checkDisk();
        GroupTake wanted = new GroupTake(
                id,
                request.name(),
                request.sources().stream()
                        .map(source -> pool.ids().inner(source).orElse(source))
                        .toList(),
                GroupShape.of(request),
                request.parameters(),
                pool.ids().most(maxIdBytes));
        StoredGroup taken = outer(pool, pools.at(pool, work, () -> groups.take(wanted, work)));
        taken.snapshots().forEach(snapshot -> pools.making(snapshot.id()));
        return taken;
    }

    /** Returns the pool of all volumes; two pools have no instant in common. */
    private OpenPool poolOf(GroupRequest request, Work work) {
        SortedMap<String, OpenPool> all = new TreeMap<>();
        for (NativeId source : request.sources()) {
            OpenPool pool = volumes.proven(source, work)
                    .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(source.value())));
            all.put(pool.settings().name(), pool);
        }
        if (all.size() > 1) {
            throw new StorageException(new Failure.Unsupported(
                    "a group snapshot of volumes in the pools " + all.keySet() + ", which have no instant in common",
                    "select the volumes of one pool only"));
        }
        return all.firstEntry().getValue();
    }

    private static StoredGroup outer(OpenPool pool, StoredGroup group) {
        return new StoredGroup(
                group.id(),
                group.shape(),
                group.snapshots().stream().map(pool.ids()::outer).toList());
    }

    @Override
    public Optional<StoredGroup> find(NativeId id, Work work) {
        return first(work, groups -> groups.find(id, work));
    }

    private Optional<StoredGroup> first(Work work, Function<FolderGroups, Optional<StoredGroup>> question) {
        return firstOf(work, (pool, groups) -> question.apply(groups).map(group -> outer(pool, group)));
    }

    /** Returns the answer of the first pool that has one. */
    private <T> Optional<T> firstOf(Work work, BiFunction<OpenPool, FolderGroups, Optional<T>> question) {
        List<StorageException> untold = new ArrayList<>();
        for (OpenPool pool : pools.all()) {
            if (pool.groups().isPresent() && mayHaveInstant(pool)) {
                FolderGroups groups = pool.groups().get();
                try {
                    Optional<T> found = pools.at(pool, work, () -> question.apply(pool, groups));
                    if (found.isPresent()) {
                        return found;
                    }
                } catch (StorageException e) {
                    untold.add(e);
                }
            }
        }
        if (!untold.isEmpty()) {
            throw untold.getFirst();
        }
        return Optional.empty();
    }

    /** Returns whether the pool's kind may have an instant; one that is to be found is known once its disk is there. */
    private static boolean mayHaveInstant(OpenPool pool) {
        return pool.settings().kind().filter(kind -> !kind.hasInstant()).isEmpty();
    }

    @Override
    public void delete(NativeId id, Work work) {
        List<NativeId> members = find(id, work)
                .map(group -> group.snapshots().stream().map(StoredSnapshot::id).toList())
                .orElse(List.of());
        var _ = firstOf(
                work, (_, groups) -> Optional.of(groups.delete(id, work)).filter(there -> there));
        members.forEach(pools::deleted);
    }
}
