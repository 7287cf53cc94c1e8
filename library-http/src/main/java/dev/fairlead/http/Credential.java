package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import java.util.List;

/** Tells a server by the header {@code Authorization} who is calling. */
public interface Credential {
    /**
     * Returns the header's value at this moment.
     *
     * @param failures makes the failure to throw if there is none
     */
    Secret header(HttpFailures failures);

    /** Returns the secrets in a header of this credential, which no message may show. */
    List<Secret> secretsIn(Secret header);
}
