package dev.fairlead.domain.volume;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Holds the name that a caller suggests for a volume or snapshot and repeats on every retry (CSI: any Unicode string of
 * up to 128 bytes, without the control characters that the spec bans).
 */
public record CsiName(String value) {
    public static final int MAX_BYTES = 128;

    public CsiName {
        if (value.isEmpty()) {
            throw refused("is missing");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw refused("is longer than " + MAX_BYTES + " bytes");
        }
        value.codePoints().filter(CsiName::banned).findFirst().ifPresent(c -> {
            throw refused("holds the control character U+%04X".formatted(c));
        });
    }

    /** Reads a name that was written down; empty if it is not one that CSI allows. */
    public static Optional<CsiName> read(String text) {
        try {
            return Optional.of(new CsiName(text));
        } catch (StorageException _) {
            return Optional.empty();
        }
    }

    private static boolean banned(int c) {
        boolean allowedControl = c == '\t' || c == '\n' || c == '\r';
        return (c < 0x20 && !allowedControl) || (c >= 0x7F && c <= 0x9F) || (c >= 0xD800 && c <= 0xDFFF);
    }

    private static StorageException refused(String why) {
        return new StorageException(
                new Failure.InvalidRequest("name", why + " (expected: 1 to 128 bytes without control characters)"));
    }

    @Override
    public String toString() {
        return value;
    }
}
