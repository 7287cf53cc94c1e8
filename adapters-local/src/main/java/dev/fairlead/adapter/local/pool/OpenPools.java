package dev.fairlead.adapter.local.pool;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the pool that a class or an id means. */
record OpenPools(ConnectionName connection, List<OpenPool> all) {
    /** The key of a StorageClass and a VolumeSnapshotClass, which kubevirt's hostpath-provisioner has too. */
    static final String POOL = "storagePool";

    OpenPools {
        all = List.copyOf(all);
    }

    /** Returns the pool that a class names; {@link PoolReader#DEFAULT} if it names none. */
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

    /** Returns the pool that an id is of; empty if it is of none. */
    Optional<OpenPool> of(NativeId id) {
        return all.stream().filter(pool -> pool.ids().has(id)).findFirst();
    }

    /**
     * Throws if an id is of a pool that is not here: a pool that was removed from the connection's file, or renamed,
     * still has its volumes, so nothing of it may count as deleted. A repeated call succeeds once the pool is listed
     * again.
     */
    void checkKnown(NativeId id) {
        Optional<String> pool = PoolIds.pool(id);
        if (of(id).isEmpty() && pool.isPresent()) {
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

    /** Runs an action on an id in the pool that it is of; returns empty if it is of none. */
    <T> Optional<T> in(NativeId id, BiFunction<OpenPool, NativeId, T> action) {
        return of(id).flatMap(pool -> pool.ids().inner(id).map(inner -> action.apply(pool, inner)));
    }

    /** Returns a page of all pools, in the order of the ids. A pool that is out of reach fails it. */
    <T> Page<T> page(PageRequest page, BiFunction<OpenPool, PageRequest, Page<T>> list, Function<T, NativeId> id) {
        List<T> found = new ArrayList<>();
        boolean more = false;
        for (OpenPool pool : all) {
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
