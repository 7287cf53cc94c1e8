package dev.fairlead.adapter.freenas.client.rest;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.http.HttpFailures;

/** Describes what went wrong with a box; the connection's name is added by whoever knows it. */
public final class RestFailures implements HttpFailures {
    /** Returns what such a failure tells, without the name of a connection. */
    public static String detail(Failure failure) {
        return switch (failure) {
            case Failure.BackendUnavailable(String _, String detail) -> detail;
            case Failure.OutcomeUnknown(String _, String _, String detail) -> detail;
            case Failure.Unintelligible(String _, String detail) -> detail;
            default -> failure.message();
        };
    }

    @Override
    public Failure unavailable(String what, String detail) {
        return new Failure.BackendUnavailable("", detail);
    }

    @Override
    public Failure unknown(String what, String detail) {
        return new Failure.OutcomeUnknown("", what, detail);
    }

    @Override
    public Failure unintelligible(String what, String detail) {
        return new Failure.Unintelligible("", detail);
    }

    @Override
    public Failure unusable(Part part, String detail) {
        return new Failure.BackendUnavailable("", "httpConnection cannot be used: " + detail);
    }
}
