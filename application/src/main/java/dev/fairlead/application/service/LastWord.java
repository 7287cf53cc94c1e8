package dev.fairlead.application.service;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.Finality;
import dev.fairlead.domain.failure.StorageException;
import java.util.function.BooleanSupplier;

/** Chooses the failure that a caller gets, so that it does not take something for absent that exists. */
final class LastWord {
    private LastWord() {}

    /**
     * Returns whether the caller takes this failure as final; an error inside Fairlead is, since it is answered
     * INTERNAL.
     */
    static boolean isFinal(RuntimeException thrown) {
        return !(thrown instanceof StorageException known) || Finality.isFinal(known.failure());
    }

    /**
     * Returns whether the operation may have failed half-way; every other failure is a refusal before anything is made.
     */
    static boolean mayHaveLeftSomething(RuntimeException thrown) {
        return !(thrown instanceof StorageException known)
                || known.failure() instanceof Failure.BackendRejected
                || known.failure() instanceof Failure.OutOfSpace // any step may run out of space
                || known.failure() instanceof Failure.Unintelligible
                || known.failure() instanceof Failure.NodeFault;
    }

    /**
     * Returns the failure, or {@link #toBeRetried} if it is final and something may have been made: after a final code
     * the caller may never delete that.
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

    /**
     * Returns the same failure with a code after which the caller tries again, since something was made and still
     * exists.
     */
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
