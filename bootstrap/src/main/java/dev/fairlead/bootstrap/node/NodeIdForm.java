package dev.fairlead.bootstrap.node;

import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.node.NodeIdentity;
import java.util.Optional;

/** Says which parts a node_id has, and how they are written. */
public record NodeIdForm(
        boolean nodeName, boolean hostname, boolean iqn, boolean nqn, boolean address, NodeIdCodec codec) {
    String of(LinuxNodeFacts facts) {
        return codec.format(new NodeIdentity(
                nodeName ? facts.nodeName() : Optional.empty(),
                hostname ? facts.hostname() : Optional.empty(),
                iqn ? facts.iqn() : Optional.empty(),
                nqn ? facts.nqn() : Optional.empty(),
                address ? facts.address() : Optional.empty()));
    }
}
