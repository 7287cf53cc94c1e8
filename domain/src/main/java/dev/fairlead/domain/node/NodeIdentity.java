package dev.fairlead.domain.node;

import java.util.Optional;

/**
 * What a controller may learn of a node from its {@code node_id}; {@link NodeIdCodec} gives it the form that travels.
 *
 * @param iqn the node's iSCSI initiator name
 * @param nqn the node's NVMe host name
 */
public record NodeIdentity(
        Optional<String> nodeName, Optional<String> hostname, Optional<String> iqn, Optional<String> nqn) {
    /** A node of which only the orchestrator's name is told. */
    public static NodeIdentity ofName(String nodeName) {
        return new NodeIdentity(Optional.of(nodeName), Optional.empty(), Optional.empty(), Optional.empty());
    }
}
