package dev.fairlead.http;

import dev.fairlead.domain.failure.Failure;

/** Makes an adapter's own failures of what went wrong with its server. */
public interface HttpFailures {
    /** Names a part of the configuration that this process needs to talk to the server. */
    enum Part {
        ADDRESS,
        CREDENTIAL,
        ROOTS,
        CLIENT_CERTIFICATE
    }

    /**
     * Returns the failure for a request that got no final answer in time.
     *
     * @param what the purpose of the request, in words for people
     */
    Failure unavailable(String what, String detail);

    /** Returns the failure for a request that was sent once, must not be repeated, and may have been carried out. */
    default Failure unknown(String what, String detail) {
        return unavailable(what, detail);
    }

    /** Returns the failure for an answer that did not come from the server's API. */
    Failure unintelligible(String what, String detail);

    /** Returns the failure for a part of the configuration that cannot be used. */
    Failure unusable(Part part, String detail);
}
