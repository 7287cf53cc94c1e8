package dev.fairlead.zfs.property;

import dev.fairlead.domain.volume.Content;
import java.util.Optional;

/** Writes and reads the value of {@link OwnProperties#SOURCE}. */
public final class TransferredSource {
    private static final String SNAPSHOT = "snapshot ";
    private static final String VOLUME = "volume ";

    private TransferredSource() {}

    public static String write(Content.Transferred content) {
        return switch (content.kind()) {
            case SNAPSHOT -> SNAPSHOT + content.handle();
            case VOLUME -> VOLUME + content.handle();
        };
    }

    /** Returns the source that a value names; empty if Fairlead did not write the value. */
    public static Optional<Content.Transferred> read(String value) {
        if (value.startsWith(SNAPSHOT)) {
            return Optional.of(new Content.Transferred(Content.Kind.SNAPSHOT, value.substring(SNAPSHOT.length())));
        }
        return value.startsWith(VOLUME)
                ? Optional.of(new Content.Transferred(Content.Kind.VOLUME, value.substring(VOLUME.length())))
                : Optional.empty();
    }
}
