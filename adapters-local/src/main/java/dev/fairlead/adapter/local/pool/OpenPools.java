package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.health.PoolTurns;
import dev.fairlead.adapter.local.pool.identity.PlacedPool;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the pool that a class or an id means.
 *
 * @param guests the pools in which kubevirt's hostpath-provisioner made volumes
 * @param turns lets calls into the pools, so that a dead disk holds up no other pool
 * @param gone the ids of what this process deleted last
 */
record OpenPools(
        ConnectionName connection,
        PoolItem item,
        List<OpenPool> all,
        List<GuestPool> guests,
        PoolTurns turns,
        Set<NativeId> gone) {
    /** The key of a StorageClass and a VolumeSnapshotClass, which kubevirt's hostpath-provisioner has too. */
    static final String POOL = "storagePool";

    /** The number of deletions that are remembered: calls are repeated soon if their answers were lost. */
    private static final int MOST_GONE = 1_000;

    OpenPools {
        all = List.copyOf(all);
        guests = List.copyOf(guests);
    }

    OpenPools(ConnectionName connection, PoolItem item, List<OpenPool> all, List<GuestPool> guests, PoolTurns turns) {
        this(connection, item, all, guests, turns, few());
    }

    /** Returns the same with these pools only. */
    OpenPools only(List<OpenPool> some, List<GuestPool> someGuests) {
        return new OpenPools(connection, item, some, someGuests, turns, gone);
    }

    /** Returns a set that forgets what was added first. */
    private static Set<NativeId> few() {
        return Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<NativeId, Boolean> eldest) {
                return size() > MOST_GONE;
            }
        }));
    }

    /** Remembers that what had this id was deleted and is gone. */
    void deleted(NativeId id) {
        gone.add(id);
    }

    /** Forgets a deletion, since something with this id may be made now. */
    void making(NativeId id) {
        gone.remove(id);
    }

    /**
     * Returns the pool that the class of a volume names. One that names none means {@link PoolReader#DEFAULT}, or, if
     * no pool is called so, the only one whose disk is where the volume is wanted.
     */
    OpenPool chosen(CreateRequest request) {
        return isTold(request.parameters()) ? chosen(request.parameters()) : placed(request.reach());
    }

    /** Returns whether a class means the same pool wherever its volumes are wanted. */
    boolean isTold(Map<String, String> parameters) {
        return parameters.containsKey(POOL)
                || all.stream().anyMatch(pool -> pool.settings().name().equals(PoolReader.DEFAULT));
    }

    private OpenPool placed(AccessibilityRequirement wanted) {
        List<OpenPool> meant = all.stream()
                .filter(pool -> pool.place().filter(it -> it.isNamedBy(wanted)).isPresent())
                .toList();
        if (all.size() == 1 || meant.size() == 1) {
            return (all.size() == 1 ? all : meant).getFirst();
        }
        // A disk that tells nothing now may be the one on which an earlier call has made the volume.
        all.stream()
                .filter(pool -> pool.place().filter(PlacedPool::isUntold).isPresent())
                .forEach(OpenPool::checkDisk);
        return chosen(Map.of());
    }

    /** Returns the pool that parameters name; {@link PoolReader#DEFAULT} if they name none. */
    OpenPool chosen(Map<String, String> parameters) {
        String name = parameters.getOrDefault(POOL, PoolReader.DEFAULT);
        return all.stream()
                .filter(pool -> pool.settings().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new StorageException(new Failure.InvalidRequest(
                        "parameters." + POOL,
                        Excerpt.of(name) + (parameters.containsKey(POOL) ? "" : ", since it is not given,")
                                + " is no pool of this connection (expected: one of "
                                + names() + ")")));
    }

    /** Throws if the class of a snapshot names another pool than that of its volume. */
    void refuseOther(OpenPool pool, Map<String, String> parameters) {
        if (parameters.containsKey(POOL) && !chosen(parameters).settings().equals(pool.settings())) {
            throw new StorageException(new Failure.Unsupported(
                    "a snapshot in another pool than '" + pool.settings().name() + "', which its volume is in",
                    "leave " + POOL + " out of the class of the snapshot"));
        }
    }

    /** Returns the pool that an id is of, be it one of Fairlead's own or another program's; empty if it is of none. */
    Optional<OpenPool> of(NativeId id) {
        Optional<OpenPool> own = own(id);
        if (guests.isEmpty() || own.filter(pool -> has(pool, id)).isPresent()) {
            return own;
        }
        Optional<OpenPool> guest = guest(id);
        return guest.isPresent() ? guest : own;
    }

    /** Returns the same; throws if it cannot be told whether what has this id is gone. */
    Optional<OpenPool> proven(NativeId id, Work work) {
        Optional<OpenPool> found = of(id);
        if (!guests.isEmpty()
                && !gone.contains(id)
                && found.filter(pool -> has(pool, id)).isEmpty()
                && guest(id).isEmpty()) {
            proveAbsence(id, found, work);
        }
        return found;
    }

    /**
     * Returns the pool in which another program made what has this id; empty if none did. A pool that cannot tell
     * matters only if no other one has it, and this process did not delete it.
     */
    private Optional<OpenPool> guest(NativeId id) {
        Optional<StorageException> untold = Optional.empty();
        for (GuestPool guest : guests) {
            Optional<OpenPool> pool = guest.as(id);
            Optional<NativeId> inner = pool.flatMap(it -> it.ids().inner(id));
            try {
                if (inner.isPresent()
                        && asked(
                                guest.settings(),
                                () -> guest.holds(item, inner.get().value()))) {
                    return pool;
                }
            } catch (StorageException e) {
                untold = Optional.of(e);
            }
        }
        if (untold.isPresent() && !gone.contains(id)) {
            throw untold.get();
        }
        return Optional.empty();
    }

    /** Asks a pool for a time at most, so that a disk that does not answer keeps no thread of the connection. */
    private <T> T asked(PoolSettings pool, DirectoryFailures.Action<T> what) {
        return turns.glance(pool.name(), pool.path(), what);
    }

    /** Runs an action in a pool whose disk answers; throws if it does not, so that nothing is begun there. */
    <T> T at(OpenPool pool, Work work, Supplier<T> action) {
        return turns.in(pool.settings().name(), pool.settings().path(), work, action);
    }

    /** Runs something short in a pool whose disk answers. */
    <T> T at(OpenPool pool, Supplier<T> action) {
        return turns.in(pool.settings().name(), pool.settings().path(), action);
    }

    /** Returns whether a pool serves what another program made. */
    boolean isGuest(OpenPool pool) {
        return guests.stream().anyMatch(guest -> guest.store().equals(pool.store()));
    }

    /** Returns the pool with what another program made in one pool, if it made what has this id there. */
    Optional<OpenPool> guest(PoolSettings pool, NativeId id) {
        return only(
                        List.of(),
                        guests.stream()
                                .filter(guest -> guest.settings().equals(pool))
                                .toList())
                .guest(id);
    }

    /** Throws if what has a bare id may be in a pool of another program's that is away. */
    private void proveAbsence(NativeId id, Optional<OpenPool> own, Work work) {
        guests.stream()
                .filter(guest -> own.filter(pool -> pool.settings().equals(guest.settings()))
                        .isEmpty())
                .filter(guest -> guest.as(id).isPresent())
                .forEach(guest -> at(guest.bare(), work, () -> {
                    guest.proveAbsence(item, id, work);
                    return guest;
                }));
    }

    /** Returns whether a pool of Fairlead's own has this id; false if it does not answer. */
    private boolean has(OpenPool pool, NativeId id) {
        RecordedFolders folders =
                item.folders(new BaseFolderLayout(pool.settings().path()));
        Optional<Path> place = pool.ids()
                .inner(id)
                .map(NativeId::value)
                .filter(folders::accepts)
                .map(folders::place);
        try {
            return place.isPresent()
                    && asked(pool.settings(), () -> Files.isDirectory(place.get(), LinkOption.NOFOLLOW_LINKS));
        } catch (StorageException _) {
            return false;
        }
    }

    /**
     * Throws if an id is of a pool that is not here: a pool that was removed from the connection's file, or renamed,
     * still has its volumes, so nothing of it may count as deleted. A repeated call succeeds once the pool is listed
     * again. A bare id need not be of the pool {@link PoolReader#DEFAULT} that it seems to be of: what this process
     * deleted in a pool of another program is gone.
     */
    void checkKnown(NativeId id, Work work) {
        checkKnown(id, proven(id, work));
    }

    /** Returns the pool of Fairlead's own that an id names; empty if that is none of this connection's. */
    Optional<OpenPool> own(NativeId id) {
        return all.stream().filter(pool -> pool.ids().has(id)).findFirst();
    }

    /** Throws if an id names a pool that this connection does not list any more. */
    void checkKnown(NativeId id, Optional<OpenPool> found) {
        Optional<String> pool = PoolIds.pool(id);
        if (found.isEmpty() && pool.isPresent() && !gone.contains(id)) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.value(),
                    "whether " + Excerpt.of(id.value()) + " is gone cannot be told: it is of pool "
                            + Excerpt.of(pool.get())
                            + ", which this connection does not list (it lists " + names()
                            + "); list that pool again under that name, with the path that it had, until its volumes"
                            + " are deleted"));
        }
    }

    private String names() {
        return all.stream().map(pool -> pool.settings().name()).collect(Collectors.joining(", "));
    }

    /** Runs an action on an id in the pool that it is of, if that answers; returns empty if it is of none. */
    <T> Optional<T> in(NativeId id, Work work, BiFunction<OpenPool, NativeId, T> action) {
        return proven(id, work)
                .flatMap(pool -> pool.ids().inner(id).map(inner -> at(pool, work, () -> action.apply(pool, inner))));
    }

    /** Returns the pools of Fairlead's own, and those of other programs. */
    List<OpenPool> every() {
        return Stream.concat(all.stream(), guests.stream().map(GuestPool::bare)).toList();
    }

    /** Returns a page of all pools, in the order of the ids. A pool that is out of reach fails it. */
    <T> Page<T> page(PageRequest page, BiFunction<OpenPool, PageRequest, Page<T>> list, Function<T, NativeId> id) {
        List<T> found = new ArrayList<>();
        boolean more = false;
        for (OpenPool pool : every()) {
            Optional<PageRequest> part = pool.ids().inner(page);
            if (part.isPresent()) {
                Page<T> some = list.apply(pool, part.get());
                found.addAll(some.items());
                more |= some.more();
            }
        }
        found.sort(Comparator.comparing(id));
        boolean cut = found.size() > page.size();
        return new Page<>(cut ? found.subList(0, page.size()) : found, more || cut);
    }
}
