package dev.fairlead.adapter.freenas.client.session;

import dev.fairlead.domain.failure.Failure;
import org.jspecify.annotations.Nullable;

/** Says that a call got no reply, or that there is no session; its message is in words and holds no secret. */
public final class SessionException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Lists what is known of a call without a reply. */
    public enum Kind {
        /** The box surely has not done it. */
        NOT_DONE,
        /** The same, since the session is not logged in any more: it is of no use to any call. */
        LOGGED_OUT,
        /** The box may have done it, or do it yet. */
        UNKNOWN,
        /** The box may have done it, and does it no more: it ends a call with its socket, which this process cut. */
        STOPPED,
        /** The box has ended it, and could not tell how. */
        UNTOLD,
        /** The box may have done it; its answer was too long to be read, and would be so again. */
        TOO_LONG,
        /** Something else than a box answered. */
        UNINTELLIGIBLE,
        /** The box limits how often one may log in; nothing was done. */
        LIMITED,
        /** The credential is not accepted; nothing was done. */
        WRONG,
        /** The credential was revoked or has expired; nothing was done. */
        REVOKED
    }

    private final Kind kind;

    public SessionException(Kind kind, String detail) {
        super(detail);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Says whether the box surely has not done it, and the same call may be made again. */
    public boolean isSurelyNotDone() {
        return kind == Kind.NOT_DONE || kind == Kind.LOGGED_OUT;
    }

    /** Says whether the cause of a failure is that a call was stopped. */
    public static boolean isStopped(@Nullable Throwable cause) {
        return cause instanceof SessionException stopped && stopped.kind() == Kind.STOPPED;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    /**
     * Returns the failure for one connection.
     *
     * @param what the call that was made
     * @param changes whether the call changes something
     */
    public Failure failure(String connection, String what, boolean changes) {
        return switch (kind) {
            case NOT_DONE, LOGGED_OUT, LIMITED -> new Failure.BackendUnavailable(connection, detail());
            case UNKNOWN, STOPPED, UNTOLD, TOO_LONG ->
                changes
                        ? new Failure.OutcomeUnknown(connection, what, detail())
                        : new Failure.BackendUnavailable(connection, what + ": " + detail());
            case UNINTELLIGIBLE ->
                changes
                        ? new Failure.OutcomeUnknown(connection, what, "the answer is none of a box, " + detail())
                        : new Failure.Unintelligible(connection, what + ": " + detail());
            case WRONG -> new Failure.CredentialWrong(connection, detail());
            case REVOKED -> new Failure.CredentialRevoked(connection, detail());
        };
    }
}
