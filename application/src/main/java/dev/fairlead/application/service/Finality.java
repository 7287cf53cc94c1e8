package dev.fairlead.application.service;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.function.BooleanSupplier;

/**
 * Which failures a caller takes for the last word.
 *
 * <p>After CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE and ABORTED the same call comes again. After any other code the
 * caller may forget the volume without ever deleting it, so such a code must mean that nothing exists.
 */
final class Finality {
    private Finality() {}

    static boolean isFinal(Failure failure) {
        return switch (failure) {
            case Failure.Cancelled _,
                    Failure.TimedOut _,
                    Failure.BackendUnavailable _,
                    Failure.ConnectionUnknown _,
                    Failure.ConnectionBroken _,
                    Failure.OperationPending _,
                    Failure.StalePageToken _,
                    Failure.ClusterUnavailable _,
                    Failure.StorageReadOnly _,
                    Failure.OutcomeUnknown _ -> false;
            case Failure.VolumeNotFound _,
                    Failure.SnapshotNotFound _,
                    Failure.GroupNotFound _,
                    Failure.NotMounted _,
                    Failure.VolumeConflict _,
                    Failure.SnapshotConflict _,
                    Failure.GroupConflict _,
                    Failure.GroupMember _,
                    Failure.PublishConflict _,
                    Failure.InUse _,
                    Failure.NotOurs _,
                    Failure.PublishedElsewhere _,
                    Failure.NotStaged _,
                    Failure.NodeNotFound _,
                    Failure.NodeUnfit _,
                    Failure.PublishedToOther _,
                    Failure.PublicationConflict _,
                    Failure.OutOfSpace _,
                    Failure.Unreachable _,
                    Failure.SourceElsewhere _,
                    Failure.CapacityOutOfRange _,
                    Failure.InvalidRequest _,
                    Failure.Unsupported _,
                    Failure.BackendRejected _,
                    Failure.Unintelligible _,
                    Failure.ClusterRefused _,
                    Failure.ClusterUnintelligible _,
                    Failure.NodeFault _,
                    Failure.Unexpected _ -> true;
        };
    }

    /** Whether the caller would take this for the last word; an error of Fairlead's own is answered INTERNAL. */
    static boolean isFinal(RuntimeException thrown) {
        return !(thrown instanceof StorageException known) || isFinal(known.failure());
    }

    /** Whether it went wrong half-way: every other failure is a refusal, before anything is made. */
    static boolean mayHaveLeftSomething(RuntimeException thrown) {
        return !(thrown instanceof StorageException known)
                || known.failure() instanceof Failure.BackendRejected
                || known.failure() instanceof Failure.OutOfSpace // which any step may find
                || known.failure() instanceof Failure.Unintelligible
                || known.failure() instanceof Failure.NodeFault;
    }

    /**
     * A final code is only for what is not there: whoever gets one may never delete it.
     *
     * @param gone asks the storage whether what was to be made is absent
     */
    static RuntimeException unlessGone(Backend backend, RuntimeException thrown, BooleanSupplier gone) {
        if (!isFinal(thrown)) {
            return thrown;
        }
        try {
            return gone.getAsBoolean() ? thrown : toBeRetried(backend, thrown);
        } catch (StorageException unknown) {
            thrown.addSuppressed(unknown);
            return toBeRetried(backend, thrown);
        }
    }

    /** The same in a code that makes the caller come again, since something was made and is not gone. */
    static StorageException toBeRetried(Backend backend, RuntimeException thrown) {
        String reason = thrown instanceof StorageException known
                ? known.failure().message()
                : "an error inside Fairlead, which its log explains";
        return new StorageException(
                new Failure.BackendUnavailable(
                        backend.name().value(),
                        reason + "; what has been made stays, and a repeated call goes on from there"),
                thrown);
    }
}
