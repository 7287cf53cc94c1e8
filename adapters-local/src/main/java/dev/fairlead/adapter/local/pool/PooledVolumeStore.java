package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.pool.health.PoolTurns;
import dev.fairlead.adapter.local.pool.identity.PlacedPool;
import dev.fairlead.application.port.out.cluster.Whereabouts.Claim;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps volumes in several pools, each of which has a store of its own; an id tells the pool. */
final class PooledVolumeStore implements VolumeStore {
    private static final Room NO_ROOM = new Room(Capacity.ZERO, Optional.of(Capacity.ZERO));

    private final OpenPools pools;
    private final PooledSnapshotStore snapshots;

    PooledVolumeStore(ConnectionName connection, List<OpenPool> pools, List<GuestPool> guests, PoolTurns turns) {
        this.pools = new OpenPools(connection, PoolItem.VOLUME, pools, guests, turns);
        this.snapshots =
                new PooledSnapshotStore(this.pools, new OpenPools(connection, PoolItem.SNAPSHOT, pools, guests, turns));
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return pools.all().stream()
                .flatMap(pool -> pool.store().media().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        OpenPool pool = pools.chosen(request);
        refuseUnplaced(request);
        CreateRequest its = inner(pool, request);
        Birth inner = pools.at(pool, () -> pool.store().plan(its, suggested));
        return new Birth(
                pool.ids().outer(inner.id()),
                request,
                inner.capacity(),
                inner.medium(),
                inner.notes(),
                inner.bornWith());
    }

    /**
     * Refuses a volume for a claim of which nobody has said the node: its class binds at once, and the pod would be
     * bound to whichever node happens to be asked. A caller that is no provisioner of Kubernetes names no claim.
     */
    private void refuseUnplaced(CreateRequest request) {
        Claim.of(request.parameters())
                .filter(_ -> isForOneNode(request) && request.reach().isNone())
                .ifPresent(claim -> {
                    throw new StorageException(new Failure.ClaimUnplaced(claim.toString(), ""));
                });
    }

    /** Returns the request as the pool's store knows its source. */
    private CreateRequest inner(OpenPool pool, CreateRequest request) {
        return switch (request.content()) {
            case Content.OfVolume(NativeId id) -> with(request, new Content.OfVolume(source(pool, id, pools.of(id))));
            case Content.OfSnapshot(NativeId id) ->
                with(
                        request,
                        new Content.OfSnapshot(
                                source(pool, id, snapshots.pools().of(id))));
            case Content.Empty _, Content.Transferred _ -> request;
        };
    }

    private static CreateRequest with(CreateRequest request, Content content) {
        return new CreateRequest(
                request.name(),
                request.capacity(),
                request.capabilities(),
                request.parameters(),
                content,
                request.mutable(),
                request.reach());
    }

    /** Returns the source's id in its pool; one that is no pool's is left as it is, and is not found there. */
    private static NativeId source(OpenPool pool, NativeId id, Optional<OpenPool> found) {
        OpenPool its = found.orElse(pool);
        if (!its.settings().equals(pool.settings())) {
            throw new StorageException(new Failure.Unsupported(
                    "a volume in pool '" + pool.settings().name() + "' with the content of one in pool '"
                            + its.settings().name() + "'",
                    "use a StorageClass whose " + OpenPools.POOL + " is '"
                            + its.settings().name() + "'"));
        }
        return its.store().equals(pool.store())
                ? pool.ids().inner(id).orElse(id)
                : pool.ids().elsewhere(id);
    }

    private Birth inner(OpenPool pool, Birth birth) {
        return new Birth(
                pool.ids().inner(birth.id()).orElse(birth.id()),
                inner(pool, birth.request()),
                birth.capacity(),
                birth.medium(),
                birth.notes(),
                birth.bornWith());
    }

    @Override
    public Optional<StoredVolume> existing(Birth birth, Work work) {
        OpenPool pool = pools.chosen(birth.request());
        Birth inner = inner(pool, birth);
        Optional<StoredVolume> own =
                pools.at(pool, work, () -> pool.store().existing(inner, work)).map(pool::outer);
        return own.isPresent() ? own : guest(pool, birth, work);
    }

    @Override
    public Creation create(Birth birth, Work work) {
        OpenPool pool = pools.chosen(birth.request());
        pool.place().ifPresent(it -> it.check(birth.request().reach()));
        pools.making(birth.id());
        Optional<StoredVolume> guest = guest(pool, birth, work);
        if (guest.isPresent()) {
            return new Creation(guest.get(), false);
        }
        Birth inner = inner(pool, birth);
        Creation made = pools.at(pool, work, () -> pool.store().create(inner, work));
        return new Creation(pool.outer(made.volume()), made.fresh(), made.inEffect());
    }

    /**
     * Returns the volume that another program has made for the same claim and did not answer any more. One that was to
     * have content is left alone, since nothing tells whether it has all of it. That program calls a volume by the name
     * that it is asked for: one whose id an idTemplate made of another name is another claim's.
     */
    private Optional<StoredVolume> guest(OpenPool pool, Birth birth, Work work) {
        Optional<OpenPool> guest = pools.guest(pool.settings(), birth.id());
        String asked = birth.request().name().value();
        Optional<NativeId> inner = guest.flatMap(it -> it.ids().inner(birth.id()));
        if (inner.filter(id -> !id.value().equals(asked)).isPresent()) {
            throw new StorageException(new Failure.VolumeConflict(
                    birth.id().value(),
                    "kubevirt's hostpath-provisioner made it under that name, and asked for is " + Excerpt.of(asked)
                            + "; the connection's idTemplate or idHash gives both the same id"));
        }
        return birth.request().content().equals(Content.EMPTY)
                ? guest.flatMap(it -> inner.flatMap(
                                id -> pools.at(it, work, () -> it.store().find(id, work)))
                        .map(it::outer))
                : Optional.empty();
    }

    /** Returns one of Fairlead's own only: another program has given its volumes no ids by the rules of this one. */
    @Override
    public Optional<StoredVolume> findToMake(NativeId id, Work work) {
        return pools.of(id).filter(pools::isGuest).isPresent() ? Optional.empty() : find(id, work);
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return pools.in(
                        id,
                        work,
                        (pool, inner) -> pool.store().find(inner, work).map(pool::outer))
                .flatMap(found -> found);
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return pools.in(id, work, (pool, inner) -> pool.store().placeOf(inner, work))
                .flatMap(found -> found);
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        return pools.in(id, work, (pool, inner) -> {
                    pool.checkDisk();
                    return pool.outer(pool.store().expand(inner, range, work));
                })
                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        pools.checkKnown(id, work);
        return pools.in(id, work, (pool, inner) -> {
                    DeletionCheck check = pool.store().deletionCheck(inner, policy, work);
                    return new DeletionCheck(check.volume().map(pool::outer), check.obstacles());
                })
                .orElseGet(() -> new DeletionCheck(Optional.empty(), List.of()));
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        pools.checkKnown(id, work);
        Optional<OpenPool> own = pools.of(id).filter(pool -> !pools.isGuest(pool));
        deleteThere(id, policy, work);
        if (own.flatMap(pool -> pools.guest(pool.settings(), id)).isPresent()) {
            deleteThere(id, policy, work); // both had made one for the same claim
        }
        pools.deleted(id);
    }

    private void deleteThere(NativeId id, OnDependents policy, Work work) {
        var _ = pools.in(id, work, (pool, inner) -> {
            pool.store().delete(inner, policy, work);
            return inner;
        });
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        var _ = pools.in(id, work, (pool, inner) -> {
                    pool.store().note(inner, notes, work);
                    return inner;
                })
                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return pools.page(
                page,
                (pool, part) -> {
                    Page<StoredVolume> some =
                            pools.at(pool, work, () -> pool.store().list(part, work));
                    return new Page<>(some.items().stream().map(pool::outer).toList(), some.more());
                },
                StoredVolume::id);
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return pools.isTold(parameters) ? room(pools.chosen(parameters), parameters, work) : largest(parameters, work);
    }

    /** Returns the room of the pool that has most of it. One that is out of reach has none, unless all are. */
    private Room largest(Map<String, String> parameters, Work work) {
        Room most = NO_ROOM;
        List<StorageException> silent = new ArrayList<>();
        for (OpenPool pool : pools.all()) {
            try {
                Room room = room(pool, parameters, work);
                most = room.available().compareTo(most.available()) > 0 ? room : most;
            } catch (StorageException e) {
                silent.add(e);
            }
        }
        if (silent.size() == pools.all().size()) {
            throw silent.getFirst();
        }
        return most;
    }

    private Room room(OpenPool pool, Map<String, String> parameters, Work work) {
        Room room = pools.at(pool, work, () -> pool.store().room(parameters, work));
        return pool.place().flatMap(PlacedPool::elsewhere).isPresent() ? NO_ROOM : room;
    }

    @Override
    public boolean isNodesOwn() {
        return true;
    }

    @Override
    public boolean isForOneNode(CreateRequest request) {
        return !pools.chosen(request).settings().shared();
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return pools.of(id)
                .flatMap(pool -> pool.ids()
                        .inner(id)
                        .map(inner -> pools.at(pool, () -> pool.store().advisorySize(inner))))
                .orElse(false);
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return Optional.of(snapshots);
    }

    @Override
    public boolean busy() {
        return pools.every().stream().anyMatch(pool -> pool.store().busy());
    }

    /** Returns whether every pool is marked for this connection; one that is out of reach is not. */
    @Override
    public boolean isMarkedAsOwn() {
        try {
            return pools.all().stream()
                    .allMatch(pool -> pools.at(pool, () -> pool.store().isMarkedAsOwn()));
        } catch (StorageException _) {
            return false;
        }
    }

    @Override
    public void close() {
        pools.every().forEach(pool -> {
            pool.store().close();
            pool.place().ifPresent(PlacedPool::close);
        });
    }
}
