package dev.fairlead.bootstrap.driver;

import java.util.Locale;

/**
 * {@code fairlead.publish}: to whom volumes are reachable that are born from now on. In the main file it also says
 * whether the process publishes volumes at all.
 */
public enum Publishing {
    /** To whoever reaches the storage. */
    OPEN,
    /** To the nodes alone that they are published to. */
    NODES;

    public static final String KEY = "publish";
    public static final String EXPECTED = "expected: open, or nodes";

    /** @throws IllegalArgumentException where it is neither */
    public static Publishing parse(String text) {
        return switch (text) {
            case "open", "nodes" -> valueOf(text.toUpperCase(Locale.ROOT));
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }
}
