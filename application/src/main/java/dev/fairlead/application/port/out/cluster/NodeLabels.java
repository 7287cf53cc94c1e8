package dev.fairlead.application.port.out.cluster;

import java.util.Map;

/** What the orchestrator knows of a node. */
@FunctionalInterface
public interface NodeLabels {
    /**
     * The node's labels as they are now. It may take a while: an orchestrator that does not answer is asked again.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code ClusterRefused} where it knows no such node or does
     *     not tell, {@code ClusterUnavailable} where it did not answer for long
     */
    Map<String, String> of(String node);
}
