package dev.fairlead.adapter.k8s.election;

import java.time.Duration;
import java.util.Optional;

/**
 * Reads and writes the one Lease that replicas contend for, with the server's optimistic concurrency.
 *
 * <p>Every method throws {@code StorageException} if there is no answer; the change may then have been made.
 */
public interface Leases {
    Optional<Lease> find(Duration patience);

    /** Creates the Lease; empty if somebody else made one first. */
    Optional<Lease> create(Lease.Claim claim, Duration patience);

    /** Updates the Lease; empty if it has changed since, or is gone. */
    Optional<Lease> update(Lease lease, Lease.Claim claim, Duration patience);

    /** Returns what the Lease is called, for people. */
    String name();
}
