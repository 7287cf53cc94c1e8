package dev.fairlead.domain.format;

/**
 * Proves that a device was found empty, or was before a format that was cut, and may be formatted. Only
 * {@link FormatGuard} makes one, so nothing can be formatted past it.
 */
public final class Emptiness {
    private final String reason;

    Emptiness(String reason) {
        this.reason = reason;
    }

    /** Returns why the device is known to be empty, for the log. */
    @Override
    public String toString() {
        return reason;
    }
}
