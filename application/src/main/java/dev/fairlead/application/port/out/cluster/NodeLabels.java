package dev.fairlead.application.port.out.cluster;

import java.util.Map;

/** Reads the labels that a node has in the orchestrator. */
@FunctionalInterface
public interface NodeLabels {
    /**
     * Returns the node's present labels. It may take a while: an orchestrator that does not answer is asked again.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code ClusterRefused} if the orchestrator knows no such
     *     node or denies the answer, {@code ClusterUnavailable} if it did not answer for long
     */
    Map<String, String> of(String node);
}
