package dev.fairlead.http;

import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Trust;
import java.net.URI;
import java.util.Optional;

/**
 * Says how one server is reached, and as whom.
 *
 * @param server its address; all requests go to paths below that of the address
 * @param trust ignored if the address is not of the scheme https
 * @param certificate the certificate by which this process shows who it is
 * @param agent the {@code User-Agent} of the requests
 * @param maxBytes the greatest number of bytes that is read of an answer
 */
public record HttpSettings(
        URI server,
        Trust trust,
        Optional<ClientCertificate> certificate,
        Optional<Credential> credential,
        String agent,
        int maxBytes) {
    /** The usual limit for the bytes of an answer, far more than a few objects have. */
    public static final int USUAL_MAX_BYTES = 1 << 20;
}
