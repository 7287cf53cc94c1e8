package dev.fairlead.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out whether this process may mount. */
public final class Mounting {
    private static final int CAP_SYS_ADMIN = 21;
    private static final String EFFECTIVE = "CapEff:";

    private Mounting() {}

    /** Returns why this process may not mount; empty if it may. */
    public static Optional<String> obstacle() {
        return obstacle(Path.of("/proc/self/status"));
    }

    static Optional<String> obstacle(Path status) {
        try {
            long capabilities = Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith(EFFECTIVE))
                    .mapToLong(line -> Long.parseUnsignedLong(
                            line.substring(EFFECTIVE.length()).trim(), 16))
                    .findFirst()
                    .orElse(0);
            return (capabilities & (1L << CAP_SYS_ADMIN)) != 0
                    ? Optional.empty()
                    : Optional.of("mounting needs root, and this user may not make a user namespace either"
                            + " (as root: sudo ./fairlead demo)");
        } catch (IOException _) {
            return Optional.of("mounting needs Linux");
        }
    }
}
