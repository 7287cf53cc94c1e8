package dev.fairlead.adapter.linstor.client;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Credential;
import dev.fairlead.http.HttpFailures;
import dev.fairlead.http.Json;
import dev.fairlead.http.trust.Material;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends the token in a file, which is either the token alone or an object of JSON with the token at "token". The file
 * is read for each request; while it cannot be read, the last token serves.
 */
public final class TokenFile implements Credential {
    private static final String SCHEME = "Bearer ";
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7E]{1,65536}");

    private final Material file;
    private volatile @Nullable Secret last;

    public TokenFile(Material file) {
        this.file = file;
    }

    @Override
    public Secret header(HttpFailures failures) {
        read().ifPresent(token -> last = token);
        Secret known = last;
        if (known == null) {
            throw new StorageException(
                    failures.unusable(HttpFailures.Part.CREDENTIAL, "it holds no token, or cannot be read"));
        }
        return new Secret(SCHEME + known.reveal());
    }

    @Override
    public List<Secret> secretsIn(Secret header) {
        return List.of(new Secret(header.reveal().substring(SCHEME.length())));
    }

    private Optional<Secret> read() {
        try {
            String text = file.read().reveal().strip();
            String token = Json.object(text)
                    .map(object -> Json.text(object, "token").orElse(""))
                    .orElse(text);
            return FORM.matcher(token).matches() ? Optional.of(new Secret(token)) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
