package dev.fairlead.adapter.freenas.client.rest;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.http.HttpFailures;

/** Describes what went wrong with a box; the connection's name is added by whoever knows it. */
public final class RestFailures implements HttpFailures {
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
