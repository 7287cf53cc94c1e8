package dev.fairlead.application.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Holds a value that must not be seen: not in a log, an exception, an argv or an event. */
public final class Secret {
    private final String value;

    public Secret(String value) {
        this.value = value;
    }

    /** Returns the value itself; only for the code that hands it to the storage. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public String toString() {
        return "***";
    }
}
