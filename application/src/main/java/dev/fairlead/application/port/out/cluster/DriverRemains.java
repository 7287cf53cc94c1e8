package dev.fairlead.application.port.out.cluster;

import java.util.Set;

/** Lists the volumes and snapshots of drivers that the orchestrator still keeps. */
@FunctionalInterface
public interface DriverRemains {
    /**
     * Returns all volumes and snapshots of these drivers; it may take a while.
     *
     * @throws dev.fairlead.domain.failure.StorageException if that cannot be known: {@code ClusterRefused} or
     *     {@code ClusterUnavailable}
     */
    Remains of(Set<String> drivers);
}
