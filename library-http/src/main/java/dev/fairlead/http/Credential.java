package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import java.util.List;

/** Tells a server who asks, by the header {@code Authorization}. */
public interface Credential {
    /**
     * The header's value at this moment.
     *
     * @param failures in whose words it is said that there is none
     */
    Secret header(HttpFailures failures);

    /** The secrets in a header of this credential, which no message may show. */
    List<Secret> secretsIn(Secret header);
}
