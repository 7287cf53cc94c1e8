package dev.fairlead.application.port.out.placement;

import java.util.List;
import java.util.function.BooleanSupplier;

/** Ends what another controller has begun with a PersistentVolume. Safe to be killed at any moment. */
public interface SavedVolumeTaking {
    /** Says how far a PersistentVolume is. */
    sealed interface Taken {
        ChangeOutcome outcome();

        /** It is as it should be; what was kept of it is not needed any more. */
        record Done(ChangeOutcome outcome) implements Taken {}

        /** It is going to be made again, by {@link AffinityChanger#resume}. */
        record Begun(ChangeOutcome outcome) implements Taken {}

        /** Says that what was kept of it has to stay. */
        record Kept(ChangeOutcome outcome) implements Taken {}
    }

    /**
     * Makes the changes that can be made now.
     *
     * @param all the PersistentVolumes that there are
     * @param mayWrite is asked before each change
     * @throws dev.fairlead.domain.failure.StorageException if the orchestrator does not answer
     */
    Taken take(SavedVolume saved, List<KnownVolume> all, BooleanSupplier mayWrite);

    /** Says what would be done with it, in words; changes nothing. */
    String plan(SavedVolume saved, List<KnownVolume> all);
}
