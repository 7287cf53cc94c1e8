package dev.fairlead.bootstrap.driver;

import java.util.Locale;

/**
 * Lists the values of {@code fairlead.publish}, which says who can reach volumes that are made from now on. In the main
 * file it also says whether the process publishes volumes at all.
 */
public enum Publishing {
    /** Everybody who reaches the storage. */
    OPEN,
    /** Only the nodes that a volume is published to. */
    NODES;

    public static final String KEY = "publish";
    public static final String EXPECTED = "expected: open, or nodes";

    /** @throws IllegalArgumentException if it is neither */
    public static Publishing parse(String text) {
        return switch (text) {
            case "open", "nodes" -> valueOf(text.toUpperCase(Locale.ROOT));
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }
}
