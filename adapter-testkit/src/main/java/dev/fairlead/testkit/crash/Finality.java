package dev.fairlead.testkit.crash;

import dev.fairlead.domain.failure.Failure;

/** Which failures the sidecars take as the end of a call that makes something: they may never ask again. */
public final class Finality {
    private Finality() {}

    /**
     * The provisioner retries on CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE and ABORTED; every other code tells it that
     * nothing exists.
     */
    public static boolean isFinal(Failure failure) {
        return switch (failure) {
            case Failure.OperationPending _,
                    Failure.StalePageToken _,
                    Failure.Cancelled _,
                    Failure.TimedOut _,
                    Failure.ConnectionUnknown _,
                    Failure.ConnectionBroken _,
                    Failure.BackendUnavailable _,
                    Failure.StorageReadOnly _ -> false;
            default -> true;
        };
    }
}
