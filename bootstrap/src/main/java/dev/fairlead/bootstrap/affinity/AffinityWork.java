package dev.fairlead.bootstrap.affinity;

import dev.fairlead.application.service.affinity.AffinityPlan;

/** Shows a plan of affinity, or makes its changes. */
public interface AffinityWork {
    /**
     * Returns what would change now; changes nothing.
     *
     * @throws dev.fairlead.domain.failure.StorageException if that is not known
     */
    AffinityPlan plan();

    /** Acts until SIGTERM, and returns the exit code. */
    int act() throws InterruptedException;
}
