package dev.fairlead.domain.node;

import java.util.Optional;

/**
 * Holds what a controller may learn of a node from its {@code node_id}; {@link NodeIdCodec} encodes it.
 *
 * @param iqn the node's iSCSI initiator name
 * @param nqn the node's NVMe host name
 * @param address the address from which the node reaches a storage host; democratic-csi has no such part
 */
public record NodeIdentity(
        Optional<String> nodeName,
        Optional<String> hostname,
        Optional<String> iqn,
        Optional<String> nqn,
        Optional<String> address) {
    /** Creates the identity of a node with only the parts that democratic-csi knows. */
    public NodeIdentity(
            Optional<String> nodeName, Optional<String> hostname, Optional<String> iqn, Optional<String> nqn) {
        this(nodeName, hostname, iqn, nqn, Optional.empty());
    }

    /** Returns the identity of a node of which only the orchestrator's name is known. */
    public static NodeIdentity ofName(String nodeName) {
        return new NodeIdentity(Optional.of(nodeName), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the name by which the node is remembered: its node name, or its hostname if it has no node name. */
    public Optional<String> name() {
        return nodeName.or(() -> hostname);
    }
}
