package dev.fairlead.adapter.k8s;

import java.time.Duration;
import java.util.Optional;

/**
 * The one Lease that replicas contend for, with the server's optimistic concurrency.
 *
 * <p>Every method throws {@code StorageException} where there is no answer; the change may then have been made.
 */
interface Leases {
    Optional<Lease> find(Duration patience);

    /** Empty where somebody else made one first. */
    Optional<Lease> create(Lease.Claim claim, Duration patience);

    /** Empty where it has changed since, or is gone. */
    Optional<Lease> update(Lease lease, Lease.Claim claim, Duration patience);

    /** What it is called, for people. */
    String name();
}
