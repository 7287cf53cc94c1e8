package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Sends a user's name and password with each request (RFC 7617).
 *
 * @param user without a colon, which would end it
 */
public record BasicLogin(String user, Secret password) implements Credential {
    private static final String SCHEME = "Basic ";

    public BasicLogin {
        if (user.indexOf(':') >= 0) {
            throw new IllegalArgumentException("user: has a colon (expected: a name without one)");
        }
    }

    @Override
    public Secret header(HttpFailures failures) {
        byte[] both = (user + ":" + password.reveal()).getBytes(StandardCharsets.UTF_8);
        return new Secret(SCHEME + Base64.getEncoder().encodeToString(both));
    }

    @Override
    public List<Secret> secretsIn(Secret header) {
        return List.of(password, new Secret(header.reveal().substring(SCHEME.length())));
    }
}
