package dev.fairlead.domain.format;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Says what the storage host knows of the content of a block volume, without a node's look at the device. A node gets
 * it with the publish_context, which stays the same for as long as the volume is published, so it may be out of date:
 * it is a reason to leave a device alone, and never one to format it.
 */
public enum HostFinding {
    /** Nothing is on the volume. */
    BLANK,
    /** Something is on the volume. */
    WRITTEN,
    /** The storage host was not asked, or cannot tell. */
    UNKNOWN;

    /** The key of the publish_context that tells the finding; it is left out if nothing is known. */
    public static final String KEY = "fairlead.dev/device";

    /**
     * Returns the entry of the publish_context: none if nothing is known, since a node takes all words but one as no.
     */
    public Map<String, String> context() {
        return this == UNKNOWN ? Map.of() : Map.of(KEY, word());
    }

    /** Reads a publish_context; a word that is not known objects as well. */
    public static HostFinding read(Map<String, String> publishContext) {
        return Optional.ofNullable(publishContext.get(KEY))
                .map(word -> word.equals(BLANK.word()) ? BLANK : WRITTEN)
                .orElse(UNKNOWN);
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
