package dev.fairlead.http;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.trust.Material;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends the token of this process as it is now. Its file is read for each request, since the content is replaced long
 * before the old token expires; while the file cannot be read, the last token serves.
 */
public final class BearerToken implements Credential {
    private static final String SCHEME = "Bearer ";

    /** The form of a token that fits a header; a file with anything else is a file of another kind. */
    private static final Pattern FORM = Pattern.compile("[\\x21-\\x7E]{1,65536}");

    private final Material source;
    private final String place;
    private volatile @Nullable Secret last;

    /** @param place the token's place, as a message names it */
    public BearerToken(Material source, String place) {
        this.source = source;
        this.place = place;
    }

    /** @throws StorageException {@link HttpFailures#unusable} if there never was one */
    @Override
    public Secret header(HttpFailures failures) {
        Optional<Secret> read = read();
        read.ifPresent(token -> last = token);
        Secret known = last;
        if (known == null) {
            throw new StorageException(
                    failures.unusable(HttpFailures.Part.CREDENTIAL, place + " holds no token, or cannot be read"));
        }
        return new Secret(SCHEME + known.reveal());
    }

    @Override
    public List<Secret> secretsIn(Secret header) {
        return List.of(new Secret(header.reveal().substring(SCHEME.length())));
    }

    private Optional<Secret> read() {
        try {
            String text = source.read().reveal().strip();
            return FORM.matcher(text).matches() ? Optional.of(new Secret(text)) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
