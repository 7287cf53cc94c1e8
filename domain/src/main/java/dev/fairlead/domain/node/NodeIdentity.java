package dev.fairlead.domain.node;

import java.util.Optional;

/**
 * What a controller may learn of a node from its {@code node_id}; {@link NodeIdCodec} gives it the form that travels.
 *
 * @param iqn the node's iSCSI initiator name
 * @param nqn the node's NVMe host name
 * @param address from which the node comes to a storage host; democratic-csi has no such part
 */
public record NodeIdentity(
        Optional<String> nodeName,
        Optional<String> hostname,
        Optional<String> iqn,
        Optional<String> nqn,
        Optional<String> address) {
    /** A node of which what democratic-csi tells is told. */
    public NodeIdentity(
            Optional<String> nodeName, Optional<String> hostname, Optional<String> iqn, Optional<String> nqn) {
        this(nodeName, hostname, iqn, nqn, Optional.empty());
    }

    /** A node of which only the orchestrator's name is told. */
    public static NodeIdentity ofName(String nodeName) {
        return new NodeIdentity(Optional.of(nodeName), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** By what the node is remembered: its name, or its hostname where that alone is told. */
    public Optional<String> name() {
        return nodeName.or(() -> hostname);
    }
}
