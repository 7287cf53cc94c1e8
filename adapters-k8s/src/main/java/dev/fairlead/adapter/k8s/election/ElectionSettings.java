package dev.fairlead.adapter.k8s.election;

import java.time.Duration;
import java.util.Optional;

/**
 * Says what replicas contend for.
 *
 * @param namespace the namespace of the Lease; empty for that of the access to Kubernetes
 * @param candidate a name for this replica, to which something unique is added
 * @param times the same for every replica
 */
public record ElectionSettings(Optional<String> namespace, String lease, String candidate, Times times) {
    public static ElectionSettings of(Optional<String> namespace, String lease, String candidate) {
        return new ElectionSettings(namespace, lease, candidate, Times.USUAL);
    }

    /**
     * Says how long things take.
     *
     * @param lease the time for which others leave the Lease to a leader that does not renew it
     * @param renewal the time after its last renewal at which a leader stops by itself; the difference to the lease is
     *     left for it to stop, and for clocks that differ in speed
     * @param retry the time between two attempts
     */
    public record Times(Duration lease, Duration renewal, Duration retry) {
        /** The times of Kubernetes' own components. */
        public static final Times USUAL =
                new Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

        public Times {
            if (lease.compareTo(renewal) <= 0 || renewal.compareTo(retry) <= 0 || !retry.isPositive()) {
                throw new IllegalArgumentException("times: " + lease + ", " + renewal + ", " + retry
                        + " (expected: a lease longer than the renewal, and that longer than a retry)");
            }
        }
    }
}
