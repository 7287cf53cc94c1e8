package dev.fairlead.application.service;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.Finality;
import dev.fairlead.domain.failure.StorageException;
import java.util.function.BooleanSupplier;

/** What is told where a call fails, so that nobody takes for gone what is there. */
final class LastWord {
    private LastWord() {}

    /** Whether the caller would take this for the last word; an error of Fairlead's own is answered INTERNAL. */
    static boolean isFinal(RuntimeException thrown) {
        return !(thrown instanceof StorageException known) || Finality.isFinal(known.failure());
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
