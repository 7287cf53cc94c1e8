package dev.fairlead.http;

import java.net.URI;
import java.util.Optional;

/**
 * How one server is reached, and as whom.
 *
 * @param server its address; what is asked for lies below its path
 * @param trust ignored if the address is not of the scheme https
 * @param certificate by which this process shows who it is
 * @param agent what requests say that they come from
 * @param maxBytes the most that is read of an answer
 */
public record HttpSettings(
        URI server,
        Trust trust,
        Optional<ClientCertificate> certificate,
        Optional<Credential> credential,
        String agent,
        int maxBytes) {
    /** Far more than a few objects have. */
    public static final int USUAL_MAX_BYTES = 1 << 20;
}
