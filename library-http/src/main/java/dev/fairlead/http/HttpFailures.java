package dev.fairlead.http;

import dev.fairlead.domain.failure.Failure;

/** Says in an adapter's own failures what went wrong with its server. */
public interface HttpFailures {
    /** What this process needs to talk to the server, and reads from the configuration. */
    enum Part {
        ADDRESS,
        CREDENTIAL,
        ROOTS,
        CLIENT_CERTIFICATE
    }

    /**
     * There was no answer for good in time.
     *
     * @param what the request was for, in words for people
     */
    Failure unavailable(String what, String detail);

    /** Something answered that is not the server's API. */
    Failure unintelligible(String what, String detail);

    /** A part of the configuration cannot be used. */
    Failure unusable(Part part, String detail);
}
