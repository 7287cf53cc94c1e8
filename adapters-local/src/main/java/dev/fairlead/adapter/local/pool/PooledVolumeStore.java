package dev.fairlead.adapter.local.pool;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps volumes in several pools, each of which has a store of its own; an id tells the pool. */
final class PooledVolumeStore implements VolumeStore {
    private final OpenPools pools;
    private final PooledSnapshotStore snapshots;

    PooledVolumeStore(ConnectionName connection, List<OpenPool> pools) {
        this.pools = new OpenPools(connection, pools);
        this.snapshots = new PooledSnapshotStore(this.pools);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return pools.all().stream()
                .flatMap(pool -> pool.store().media().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        OpenPool pool = pools.chosen(request.parameters());
        Birth inner = pool.store().plan(inner(pool, request), suggested);
        return new Birth(
                pool.ids().outer(inner.id()),
                request,
                inner.capacity(),
                inner.medium(),
                inner.notes(),
                inner.bornWith());
    }

    /** Returns the request as the pool's store knows its source. */
    private CreateRequest inner(OpenPool pool, CreateRequest request) {
        return switch (request.content()) {
            case Content.OfVolume(NativeId id) -> with(request, new Content.OfVolume(source(pool, id)));
            case Content.OfSnapshot(NativeId id) -> with(request, new Content.OfSnapshot(source(pool, id)));
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
    private NativeId source(OpenPool pool, NativeId id) {
        OpenPool its = pools.of(id).orElse(pool);
        if (!its.equals(pool)) {
            throw new StorageException(new Failure.Unsupported(
                    "a volume in pool '" + pool.settings().name() + "' with the content of one in pool '"
                            + its.settings().name() + "'",
                    "use a StorageClass whose " + OpenPools.POOL + " is '"
                            + its.settings().name() + "'"));
        }
        return pool.ids().inner(id).orElse(id);
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
        OpenPool pool = pools.chosen(birth.request().parameters());
        return pool.store().existing(inner(pool, birth), work).map(pool.ids()::outer);
    }

    @Override
    public Creation create(Birth birth, Work work) {
        OpenPool pool = pools.chosen(birth.request().parameters());
        Creation made = pool.store().create(inner(pool, birth), work);
        return new Creation(pool.ids().outer(made.volume()), made.fresh(), made.inEffect());
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return pools.in(id, (pool, inner) -> pool.store().find(inner, work).map(pool.ids()::outer))
                .flatMap(found -> found);
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return pools.in(id, (pool, inner) -> pool.store().placeOf(inner, work)).flatMap(found -> found);
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        return pools.in(id, (pool, inner) -> pool.ids().outer(pool.store().expand(inner, range, work)))
                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(id.value())));
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        pools.checkKnown(id);
        return pools.in(id, (pool, inner) -> {
                    DeletionCheck check = pool.store().deletionCheck(inner, policy, work);
                    return new DeletionCheck(check.volume().map(pool.ids()::outer), check.obstacles());
                })
                .orElseGet(() -> new DeletionCheck(Optional.empty(), List.of()));
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        pools.checkKnown(id);
        var _ = pools.in(id, (pool, inner) -> {
            pool.store().delete(inner, policy, work);
            return inner;
        });
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        var _ = pools.in(id, (pool, inner) -> {
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
                    Page<StoredVolume> some = pool.store().list(part, work);
                    return new Page<>(
                            some.items().stream().map(pool.ids()::outer).toList(), some.more());
                },
                StoredVolume::id);
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return pools.chosen(parameters).store().room(parameters, work);
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return pools.in(id, (pool, inner) -> pool.store().advisorySize(inner)).orElse(false);
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return Optional.of(snapshots);
    }

    @Override
    public boolean busy() {
        return pools.all().stream().anyMatch(pool -> pool.store().busy());
    }

    /** Returns whether every pool is marked for this connection; one that is out of reach is not. */
    @Override
    public boolean isMarkedAsOwn() {
        return pools.all().stream().allMatch(pool -> pool.store().isMarkedAsOwn());
    }

    @Override
    public void close() {
        pools.all().forEach(pool -> pool.store().close());
    }
}
