package dev.fairlead.application.port.out.placement;

import java.util.Optional;

/** Watches for another controller that changes the affinity of the same PersistentVolumes. */
public interface OtherController {
    /**
     * Says by what it shows that it lives, or may live; empty if it does not. Its times are those of another clock:
     * only that they change counts, so the first answers of a process come before it is known.
     *
     * @throws dev.fairlead.domain.failure.StorageException if that cannot be known
     */
    Optional<String> alive();

    /**
     * Says the same at once, by what its times say; for people.
     *
     * @throws dev.fairlead.domain.failure.StorageException if that cannot be known
     */
    Optional<String> shown();

    /** Takes note that it has just written something elsewhere, in words for people. */
    void wrote(String what);

    /** Tells the orchestrator's users that nothing is changed while it lives, or that changes go on; each once. */
    void announce(Optional<String> sign);
}
