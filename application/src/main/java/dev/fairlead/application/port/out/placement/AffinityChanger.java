package dev.fairlead.application.port.out.placement;

import dev.fairlead.domain.affinity.AffinityChange;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Changes the affinity of PersistentVolumes; safe to be killed at any moment. */
public interface AffinityChanger {
    /**
     * Makes one change, or as much of it as can be done now. It does nothing if the object is no longer as the change
     * says.
     *
     * @param mayBegin says, by the volume's name, whether an object that is still there may be replaced now
     */
    ChangeOutcome change(AffinityChange change, Predicate<String> mayBegin);

    /**
     * Returns what would come of a change that cannot be made now, without asking the orchestrator for anything; empty
     * if it is to be tried.
     */
    default Optional<ChangeOutcome> obstacle(AffinityChange change) {
        return Optional.empty();
    }

    /**
     * Ends all changes that were begun, by this process or by another before it: those whose object is gone go on, and
     * the others are taken back, since only a plan of now says whether they may be made.
     *
     * @param goOn says whether to go on with the next one
     * @throws dev.fairlead.domain.failure.StorageException if it cannot be known which were begun
     */
    List<ChangeOutcome> resume(BooleanSupplier goOn);

    /** Returns those of these volumes that look as if a change of them was begun and of which nothing is recorded. */
    List<ChangeOutcome> strays(List<KnownVolume> all);
}
