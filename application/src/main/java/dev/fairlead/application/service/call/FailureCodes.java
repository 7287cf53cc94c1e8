package dev.fairlead.application.service.call;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import java.util.function.BooleanSupplier;

/** Chooses the failure that a caller gets, so that it does not take something for absent that exists. */
public final class FailureCodes {
    private FailureCodes() {}

    /**
     * Returns whether the caller takes this failure as final; an error inside Fairlead is, since it is answered
     * INTERNAL.
     */
    public static boolean isFinal(RuntimeException thrown) {
        return !(thrown instanceof StorageException known) || FinalCodes.isFinal(known.failure());
    }

    /**
     * Returns whether the operation may have failed half-way; every other failure is a refusal before anything is made.
     */
    public static boolean mayHaveLeftSomething(RuntimeException thrown) {
        return !(thrown instanceof StorageException known)
                || known.failure() instanceof Failure.BackendRejected
                || known.failure() instanceof Failure.StorageUnfit // a share is made after its volume
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
    public static RuntimeException unlessGone(
            ConnectionName connection, RuntimeException thrown, BooleanSupplier gone) {
        if (!isFinal(thrown)) {
            return thrown;
        }
        try {
            return gone.getAsBoolean() ? thrown : toBeRetried(connection, thrown);
        } catch (StorageException unknown) {
            thrown.addSuppressed(unknown);
            return toBeRetried(connection, thrown);
        }
    }

    /**
     * Returns the same failure with a code after which the caller tries again, since something was made and still
     * exists.
     */
    public static StorageException toBeRetried(ConnectionName connection, RuntimeException thrown) {
        String reason = thrown instanceof StorageException known
                ? known.failure().message()
                : "an error inside Fairlead, which its log explains";
        return new StorageException(
                new Failure.BackendUnavailable(
                        connection.value(),
                        reason + "; what has been made stays, and a repeated call goes on from there"),
                thrown);
    }
}
