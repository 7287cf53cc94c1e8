package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells which pools of this node have a place of their own, by an identity of their disk that outlives the node. */
public interface PoolIdentities {
    /** Returns such pools of all connections that are open. */
    List<PoolIdentity> now();

    /**
     * Takes the labels under which this node is registered. Nothing new is made in a pool whose disk is another one
     * than they say, since no pod that uses it would come here.
     */
    void registered(Map<String, String> labels);

    /**
     * Describes one pool.
     *
     * @param key the topology key of the pool, prefix included
     * @param value the identity of the disk that is there now; empty if it does not tell one
     */
    record PoolIdentity(ConnectionName connection, String pool, String key, Optional<String> value) {}
}
