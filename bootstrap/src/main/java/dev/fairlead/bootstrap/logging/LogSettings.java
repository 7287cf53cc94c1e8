package dev.fairlead.bootstrap.logging;

import ch.qos.logback.classic.Level;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the settings of this process's log.
 *
 * @param format JSON lines for machines, text for people
 * @param color whether text has colours
 */
public record LogSettings(LogLevel level, Format format, boolean color) {
    /** The settings before any are known, for a start that fails at its first step. */
    static final LogSettings EARLY = new LogSettings(LogLevel.INFO, Format.TEXT, false);

    /** Lists the forms of a line. */
    public enum Format {
        JSON,
        TEXT
    }

    /** Lists the levels by democratic-csi's names. */
    public enum LogLevel {
        ERROR,
        WARN,
        INFO,
        /** Fairlead has no level between info and debug. */
        VERBOSE,
        DEBUG,
        SILLY;

        Level level() {
            return switch (this) {
                case ERROR -> Level.ERROR;
                case WARN -> Level.WARN;
                case INFO, VERBOSE -> Level.INFO;
                case DEBUG -> Level.DEBUG;
                case SILLY -> Level.TRACE;
            };
        }

        public static Optional<LogLevel> named(String name) {
            for (LogLevel level : values()) {
                if (level.name().equalsIgnoreCase(name)) {
                    return Optional.of(level);
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Chooses as democratic-csi does: JSON lines in production, else text; the level of the option, else of the
     * environment, else info in production and verbose elsewhere. Text has colours on a terminal.
     */
    public static LogSettings of(
            Optional<LogLevel> level, Optional<Format> format, Map<String, String> environment, boolean terminal) {
        boolean production = "production".equals(environment.get("NODE_ENV"));
        Format form = format.orElse(production ? Format.JSON : Format.TEXT);
        LogLevel chosen = level.or(() -> Optional.ofNullable(environment.get("DEMOCRATIC_CSI_LOG_LEVEL"))
                        .flatMap(LogLevel::named))
                .orElse(production ? LogLevel.INFO : LogLevel.VERBOSE);
        boolean plain = environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new LogSettings(chosen, form, terminal && plain);
    }
}
