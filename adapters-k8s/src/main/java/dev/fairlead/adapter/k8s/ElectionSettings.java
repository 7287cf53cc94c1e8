package dev.fairlead.adapter.k8s;

import java.time.Duration;
import java.util.Optional;

/**
 * What replicas contend for.
 *
 * @param namespace empty: that of the access to Kubernetes
 * @param candidate a name for this replica, to which something unique is added
 * @param times the same for every replica
 */
public record ElectionSettings(Optional<String> namespace, String lease, String candidate, Times times) {
    public static ElectionSettings of(Optional<String> namespace, String lease, String candidate) {
        return new ElectionSettings(namespace, lease, candidate, Times.USUAL);
    }

    /**
     * How long things take.
     *
     * @param lease how long others keep their hands off a leader that says nothing
     * @param renewal how long after its last renewal a leader stops by itself; the difference to the lease is what it
     *     has to end in, and what clocks may differ in speed
     * @param retry between two attempts
     */
    public record Times(Duration lease, Duration renewal, Duration retry) {
        /** Those of Kubernetes' own components. */
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
