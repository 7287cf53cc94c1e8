package dev.fairlead.adapter.local.pool.identity;

import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.application.port.out.store.PoolIdentities;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Knows the pools of all connections that are placed by the identity of their disk. */
public final class DiskIdentities implements PoolIdentities {
    private final DiskQuestion question;
    private final DiskIdentity look;
    private final TopologyPrefix prefix;
    private final InstantSource clock;
    private final List<PlacedPool> pools = new CopyOnWriteArrayList<>();
    private volatile Optional<Map<String, String>> registered = Optional.empty();

    public DiskIdentities(DiskQuestion question, DiskIdentity look, TopologyPrefix prefix, InstantSource clock) {
        this.question = question;
        this.look = look;
        this.prefix = prefix;
        this.clock = clock;
    }

    /** Returns another connection that has a pool of this name, and so its label. */
    public Optional<ConnectionName> other(ConnectionName connection, String pool) {
        return pools.stream()
                .filter(PlacedPool::isOpen)
                .filter(it -> it.name().equals(pool) && !it.connection().equals(connection))
                .map(PlacedPool::connection)
                .findFirst();
    }

    /** Adds a pool, in the place of an earlier one of its connection and name. */
    public synchronized PlacedPool opened(ConnectionName connection, String pool, Path path) {
        PlacedPool placed = new PlacedPool(
                connection, pool, path, prefix.key("pool." + pool), question, look, clock, () -> registered);
        // A connection that nobody used for long is closed and opened again; its pools stay where they are.
        pools.removeIf(it -> it.name().equals(pool) && it.connection().equals(connection));
        pools.add(placed);
        return placed;
    }

    @Override
    public List<PoolIdentity> now() {
        return pools.stream()
                .map(it -> new PoolIdentity(it.connection(), it.name(), it.key(), it.value()))
                .toList();
    }

    @Override
    public void registered(Map<String, String> labels) {
        registered = Optional.of(Map.copyOf(labels));
    }
}
