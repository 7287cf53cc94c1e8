package dev.fairlead.application.port.out.cluster;

import java.util.Optional;

/** Whether a node is to go. */
@FunctionalInterface
public interface NodeOutlook {
    /**
     * Why the node is being emptied, in words for people; empty where it stays as far as the orchestrator knows.
     *
     * @throws dev.fairlead.domain.failure.StorageException where the orchestrator cannot be asked
     */
    Optional<String> leaving(String node);
}
