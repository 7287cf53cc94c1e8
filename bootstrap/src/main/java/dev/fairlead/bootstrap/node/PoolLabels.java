package dev.fairlead.bootstrap.node;

import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.store.PoolIdentities;
import dev.fairlead.application.port.out.store.PoolIdentities.PoolIdentity;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the labels that pools give their node by the identity of their disks.
 *
 * <p>kubelet registers no node whose labels would change. Where a disk is another one than the Node's label says, the
 * label is left as it is, so that the node registers and all other pools serve: which of the two is right only an
 * operator knows. Nothing is made in that pool meanwhile.
 */
public final class PoolLabels {
    private static final Logger log = LoggerFactory.getLogger(PoolLabels.class);

    private final Optional<PoolIdentities> pools;
    private final Supplier<Map<String, String>> onNode;
    private final Announcer announcer;
    private volatile Map<String, String> reported = Map.of();
    private Optional<Set<String>> compared = Optional.empty();

    /** @param onNode reads the labels that the Node has now; asked only if a pool has a place of its own */
    public PoolLabels(Optional<PoolIdentities> pools, Supplier<Map<String, String>> onNode, Announcer announcer) {
        this.pools = pools;
        this.onNode = onNode;
        this.announcer = announcer;
    }

    /**
     * Compares the pools with the node's labels, before kubelet asks this node. If the orchestrator cannot be asked,
     * the node reports no label of a pool, since a wrong one would keep kubelet from registering it, and nothing is
     * made in those pools.
     */
    public synchronized void compare() {
        if (pools.isEmpty()) {
            return;
        }
        List<PoolIdentity> all = pools.get().now();
        Optional<Map<String, String>> labels = all.isEmpty() ? Optional.of(Map.of()) : read(all);
        Map<String, String> found = new TreeMap<>();
        if (labels.isPresent()) {
            for (PoolIdentity pool : all) {
                Optional<String> there = Optional.ofNullable(labels.get().get(pool.key()));
                there.or(pool::value).ifPresent(value -> found.put(pool.key(), value));
                tell(pool, there);
            }
        }
        compared = labels.map(_ -> keys(all));
        reported = Map.copyOf(found);
        // Also without any: a pool that is listed later is not in what kubelet was told.
        pools.get().registered(reported);
    }

    /**
     * Compares again if the orchestrator could not be asked, or if pools were loaded since: kubelet asks now, and takes
     * what it is told. It asks again until it has registered the driver.
     */
    synchronized void compareIfStale() {
        if (pools.isPresent()
                && compared.filter(keys(pools.get().now())::equals).isEmpty()) {
            compare();
        }
    }

    private static Set<String> keys(List<PoolIdentity> all) {
        return all.stream().map(PoolIdentity::key).collect(Collectors.toSet());
    }

    private Optional<Map<String, String>> read(List<PoolIdentity> all) {
        try {
            return Optional.of(onNode.get());
        } catch (StorageException | InvalidConfigException e) {
            for (PoolIdentity pool : all) {
                warn(
                        pool,
                        "FL-TOPO-003 nothing is made in pool '" + pool.pool() + "' of connection '" + pool.connection()
                                + "', since the labels of this node cannot be read: " + e.getMessage()
                                + "; once they can, start the driver's pod here again");
            }
            return Optional.empty();
        }
    }

    private void warn(PoolIdentity pool, String text) {
        log.atWarn().addKeyValue("pool", pool.pool()).log(text);
        announcer.announce(
                new Announcement(Announcement.Kind.POOL_ELSEWHERE, pool.connection() + "/" + pool.pool(), text));
    }

    private void tell(PoolIdentity pool, Optional<String> there) {
        if (pool.value().isEmpty()) {
            log.atWarn()
                    .addKeyValue("connection", pool.connection())
                    .addKeyValue("pool", pool.pool())
                    .addKeyValue("label", there.orElse("none"))
                    .log("the disk of a pool with topology: disk tells no identity; without a label its volumes are not"
                            + " for this node until the driver is started again");
        } else if (there.isPresent() && !there.equals(pool.value())) {
            warn(
                    pool,
                    "FL-TOPO-003 pool '" + pool.pool() + "' of connection '" + pool.connection()
                            + "' is on the disk " + pool.value().get() + ", and this node has the label " + pool.key()
                            + "="
                            + there.get()
                            + "; nothing is made in it. If this is the right disk, remove the label from the Node"
                            + " and restart the driver's pod here, else mount the other one");
        }
    }

    /** Returns the labels, keys with their prefix. */
    Map<String, String> now() {
        return reported;
    }
}
