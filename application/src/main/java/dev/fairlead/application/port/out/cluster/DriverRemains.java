package dev.fairlead.application.port.out.cluster;

import java.util.Set;

/** What the orchestrator keeps of drivers' volumes and snapshots. */
@FunctionalInterface
public interface DriverRemains {
    /**
     * What there is of any of these drivers, all of it; it may take a while.
     *
     * @throws dev.fairlead.domain.failure.StorageException where that cannot be known: {@code ClusterRefused} or
     *     {@code ClusterUnavailable}
     */
    Remains of(Set<String> drivers);
}
