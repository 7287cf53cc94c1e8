package dev.fairlead.application.port.out.placement;

import dev.fairlead.domain.affinity.NodeAffinity;
import java.util.Optional;

/** Knows the nodes of the orchestrator. */
public interface KnownNodes {
    /**
     * Returns why no pod could use a volume of this affinity: no node that is known is admitted, or it cannot be told;
     * empty if there is one.
     */
    Optional<String> obstacle(NodeAffinity affinity);
}
