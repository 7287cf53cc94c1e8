package dev.fairlead.bootstrap.node;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.store.PoolIdentities;
import dev.fairlead.application.port.out.store.PoolIdentities.PoolIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
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

    /** @param onNode reads the labels that the Node has now; asked only if a pool has a place of its own */
    public PoolLabels(Optional<PoolIdentities> pools, Supplier<Map<String, String>> onNode, Announcer announcer) {
        this.pools = pools;
        this.onNode = onNode;
        this.announcer = announcer;
    }

    /**
     * Compares the pools with the node's labels, before kubelet asks this node.
     *
     * @throws dev.fairlead.domain.failure.StorageException if the orchestrator cannot be asked
     */
    public void compare() {
        List<PoolIdentity> all = pools.map(PoolIdentities::now).orElse(List.of());
        if (all.isEmpty()) {
            return;
        }
        Map<String, String> labels = onNode.get();
        Map<String, String> found = new TreeMap<>();
        for (PoolIdentity pool : all) {
            Optional<String> there = Optional.ofNullable(labels.get(pool.key()));
            there.or(pool::value).ifPresent(value -> found.put(pool.key(), value));
            tell(pool, there);
        }
        reported = Map.copyOf(found);
        pools.get().registered(reported);
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
            String text = "FL-TOPO-003 pool '" + pool.pool() + "' of connection '" + pool.connection()
                    + "' is on the disk " + pool.value().get() + ", and this node has the label " + pool.key() + "="
                    + there.get() + "; nothing is made in it. If this is the right disk, remove the label from the Node"
                    + " and restart the driver's pod here, else mount the other one";
            log.atWarn().addKeyValue("pool", pool.pool()).log(text);
            announcer.announce(
                    new Announcement(Announcement.Kind.POOL_ELSEWHERE, pool.connection() + "/" + pool.pool(), text));
        }
    }

    /** Returns the labels, keys with their prefix. */
    Map<String, String> now() {
        return reported;
    }
}
