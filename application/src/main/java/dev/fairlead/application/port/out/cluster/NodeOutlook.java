package dev.fairlead.application.port.out.cluster;

import java.util.Optional;

/** Says whether a node is being drained or shut down. */
@FunctionalInterface
public interface NodeOutlook {
    /**
     * Returns why the node is being emptied, in words for people; empty if the orchestrator knows of no reason.
     *
     * @throws dev.fairlead.domain.failure.StorageException if the orchestrator cannot be asked
     */
    Optional<String> leaving(String node);
}
