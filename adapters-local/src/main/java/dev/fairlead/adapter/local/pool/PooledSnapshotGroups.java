package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.FolderGroups;
import dev.fairlead.adapter.local.directory.GroupTake;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps each group of snapshots in the pool of its volumes, which its id names as theirs do.
 *
 * @param volumes the pools, found by ids of volumes
 * @param pools the pools, found by ids of snapshots
 */
record PooledSnapshotGroups(OpenPools volumes, OpenPools pools) implements SnapshotGroups {
    private static final Logger LOG = LoggerFactory.getLogger(PooledSnapshotGroups.class);

    @Override
    public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
        Optional<StoredGroup> known = existing(request.name(), maxIdBytes, work);
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
        int most = pool.ids().most(maxIdBytes);
        GroupTake wanted = new GroupTake(
                FolderGroups.idOf(request.name(), most),
                request.name(),
                request.sources().stream()
                        .map(source -> pool.ids().inner(source).orElse(source))
                        .toList(),
                GroupShape.of(request),
                request.parameters(),
                most);
        StoredGroup taken = pool.ids().outer(pools.at(pool, work, () -> groups.take(wanted, work)));
        taken.snapshots().forEach(snapshot -> pools.making(snapshot.id()));
        return taken;
    }

    /**
     * Returns the group of a name that an earlier call took in any pool. A pool that does not tell is passed over, so
     * that it holds up no other one; the pool of the volumes is asked again before anything is taken there.
     */
    private Optional<StoredGroup> existing(CsiName name, int maxIdBytes, Work work) {
        List<StorageException> untold = new ArrayList<>();
        Optional<StoredGroup> found =
                firstOf(work, (pool, groups) -> groups.existing(name, pool.ids().most(maxIdBytes), work), untold);
        untold.forEach(why -> LOG.atWarn()
                .addKeyValue("request", work.requestId())
                .addKeyValue("name", name)
                .log(
                        "pool passed over in the search for a group snapshot: {}",
                        why.failure().message()));
        return found;
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

    /** Returns the one of any pool. A pool that does not tell matters only if no other one has it. */
    @Override
    public Optional<StoredGroup> findByName(CsiName name, int maxIdBytes, Work work) {
        List<StorageException> untold = new ArrayList<>();
        Optional<StoredGroup> found = firstOf(
                work, (pool, groups) -> groups.findByName(name, pool.ids().most(maxIdBytes)), untold);
        if (found.isEmpty() && !untold.isEmpty()) {
            throw untold.getFirst();
        }
        return found;
    }

    /** Returns the answer of the first pool that has one. */
    private Optional<StoredGroup> firstOf(
            Work work,
            BiFunction<OpenPool, FolderGroups, Optional<StoredGroup>> question,
            List<StorageException> untold) {
        for (OpenPool pool : pools.all()) {
            if (pool.groups().isPresent() && mayHaveInstant(pool)) {
                FolderGroups groups = pool.groups().get();
                try {
                    Optional<StoredGroup> found = pools.at(pool, work, () -> question.apply(pool, groups));
                    if (found.isPresent()) {
                        return found.map(pool.ids()::outer);
                    }
                } catch (StorageException e) {
                    untold.add(e);
                }
            }
        }
        return Optional.empty();
    }

    /** Returns whether the pool's kind may have an instant; one that is to be found is known once its disk is there. */
    private static boolean mayHaveInstant(OpenPool pool) {
        return pool.settings().kind().filter(kind -> !kind.hasInstant()).isEmpty();
    }

    @Override
    public Optional<StoredGroup> find(NativeId id, Work work) {
        return in(id, work, (groups, inner) -> groups.find(inner, work));
    }

    /** Runs something in the pool that the id of a group names, if its volumes can be of a group. */
    private Optional<StoredGroup> in(
            NativeId id, Work work, BiFunction<FolderGroups, NativeId, Optional<StoredGroup>> action) {
        Optional<OpenPool> pool = pools.own(id);
        Optional<FolderGroups> groups = pool.flatMap(OpenPool::groups);
        Optional<NativeId> inner = pool.flatMap(it -> it.ids().inner(id));
        if (groups.isEmpty() || inner.isEmpty()) {
            return Optional.empty();
        }
        return pools.at(pool.get(), work, () -> action.apply(groups.get(), inner.get()))
                .map(pool.get().ids()::outer);
    }

    @Override
    public void delete(NativeId id, Work work) {
        pools.checkKnown(id, pools.own(id));
        List<NativeId> members = find(id, work)
                .map(group -> group.snapshots().stream().map(StoredSnapshot::id).toList())
                .orElse(List.of());
        var _ = in(id, work, (groups, inner) -> {
            groups.delete(inner, work);
            return Optional.empty();
        });
        members.forEach(pools::deleted);
    }
}
