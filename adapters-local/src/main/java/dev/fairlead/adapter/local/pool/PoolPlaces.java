package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.pool.health.PoolHealth;
import dev.fairlead.application.port.out.store.SharedDisks;
import dev.fairlead.domain.connection.ConnectionName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Knows where the pools of all connections lie. A disk may be mounted at any time, so they are looked at again once a
 * minute, as kubevirt's hostpath-provisioner does. One task looks at all of them, and a disk that does not answer holds
 * up neither who asks nor the opening of a connection.
 */
final class PoolPlaces implements SharedDisks {
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final SystemDisk system;
    private final InstantSource clock;
    private final Executor background;
    private final Duration patience;
    private final PoolHealth health = new PoolHealth();
    private final SortedMap<ConnectionName, List<PoolSettings>> pools = new TreeMap<>();
    private final Map<Path, Look> looks = new HashMap<>();
    private CompletableFuture<Boolean> looking = CompletableFuture.completedFuture(true);

    /** @param patience how long who asks waits for looks that are due; afterwards the former ones count */
    PoolPlaces(SystemDisk system, InstantSource clock, Executor background, Duration patience) {
        this.system = system;
        this.clock = clock;
        this.background = background;
        this.patience = patience;
    }

    private record Look(Instant when, boolean shared) {}

    /** Returns what looks at these pools. */
    PoolHealth health() {
        return health;
    }

    /** Notes the pools of a connection's newest file. */
    synchronized void opened(ConnectionName connection, List<PoolSettings> now) {
        pools.put(connection, List.copyOf(now));
        looks.keySet().retainAll(paths());
    }

    /** Returns the pools of one file of a connection, and those of all other connections. */
    synchronized List<PoolSettings> with(ConnectionName connection, List<PoolSettings> its) {
        return Stream.concat(
                        its.stream(),
                        pools.entrySet().stream()
                                .filter(other -> !other.getKey().equals(connection))
                                .flatMap(other -> other.getValue().stream()))
                .toList();
    }

    private Set<Path> paths() {
        return pools.values().stream()
                .flatMap(List::stream)
                .map(PoolSettings::path)
                .collect(Collectors.toSet());
    }

    /** Returns the pools that were looked at. */
    @Override
    public List<PoolPlace> now() {
        var _ = looking()
                .copy()
                .completeOnTimeout(false, patience.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(_ -> false)
                .join();
        return known();
    }

    /** Returns the looks at all pools that are due; at most one task looks. */
    private synchronized CompletableFuture<Boolean> looking() {
        Instant now = clock.instant();
        Set<Path> due = paths().stream().filter(path -> isDue(path, now)).collect(Collectors.toSet());
        if (looking.isDone() && !due.isEmpty()) {
            looking = CompletableFuture.supplyAsync(() -> look(due), background);
        }
        return looking;
    }

    private boolean isDue(Path path, Instant now) {
        Look last = looks.get(path);
        return last == null || !now.isBefore(last.when().plus(FRESH));
    }

    private boolean look(Set<Path> due) {
        for (Path path : due) {
            Look look = new Look(clock.instant(), system.holds(path));
            synchronized (this) {
                looks.put(path, look);
            }
        }
        return true;
    }

    private synchronized List<PoolPlace> known() {
        List<PoolPlace> places = new ArrayList<>();
        pools.forEach((connection, all) -> {
            for (PoolSettings pool : all) {
                Look look = looks.get(pool.path());
                if (look != null) {
                    places.add(new PoolPlace(connection, pool.name(), look.shared()));
                }
            }
        });
        return List.copyOf(places);
    }
}
