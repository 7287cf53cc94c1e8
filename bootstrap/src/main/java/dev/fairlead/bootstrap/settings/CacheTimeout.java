package dev.fairlead.bootstrap.settings;

import dev.fairlead.application.config.ConfigNode;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads {@code proxy.cacheTimeoutMinutes}: how long connections that no call uses are kept.
 *
 * <p>democratic-csi documents 0 as never and -1 as for ever, while its code did the opposite; here the documented
 * meaning holds.
 */
final class CacheTimeout {
    private static final String KEY = "cacheTimeoutMinutes";
    private static final double FOREVER = -1;
    private static final double USUAL = 60;
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();

    private CacheTimeout() {}

    /** Returns the time, 60 minutes by default; empty for ever. */
    static Optional<Duration> read(ConfigNode proxy) {
        double minutes = proxy.optional(KEY, CacheTimeout::minutes, "expected: a number of minutes, 0 or -1")
                .orElse(USUAL);
        if (minutes == FOREVER) {
            warn(
                    proxy,
                    "is -1, which is documented as for ever, and here means that; democratic-csi did the opposite, and"
                            + " made each connection anew for every call",
                    "write 0 if that was wanted");
            return Optional.empty();
        }
        if (minutes == 0) {
            warn(
                    proxy,
                    "is 0, which is documented as never, and here means that; democratic-csi did the opposite, and kept"
                            + " each connection for ever",
                    "write -1 if that was wanted, or remove the key: a connection is then kept until no call has used"
                            + " it for 60 minutes");
        }
        return Optional.of(Duration.ofMillis((long) (minutes * MINUTE)));
    }

    private static void warn(ConfigNode proxy, String what, String remedy) {
        proxy.problems().warning(proxy.pathOf(KEY), proxy.lineOf(KEY), what, remedy);
    }

    private static double minutes(String text) {
        try {
            double minutes = Double.parseDouble(text);
            if (minutes >= 0 || minutes == FOREVER) {
                return minutes;
            }
        } catch (NumberFormatException _) {
            // The message below says it all.
        }
        throw new IllegalArgumentException("'" + text + "' is no number of minutes");
    }
}
