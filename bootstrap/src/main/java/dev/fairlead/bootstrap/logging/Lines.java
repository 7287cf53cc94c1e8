package dev.fairlead.bootstrap.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes log events as lines; holds what both forms of a line share. */
abstract sealed class Lines extends EncoderBase<ILoggingEvent> permits JsonLines, TextLines {
    private static final byte[] NOTHING = {};

    abstract void write(ILoggingEvent event, StringBuilder line);

    @Override
    public byte[] encode(ILoggingEvent event) {
        var line = new StringBuilder(256);
        write(event, line);
        return line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    static Instant time(ILoggingEvent event) {
        return event.getInstant().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns democratic-csi's name of the level. */
    static String level(ILoggingEvent event) {
        return switch (event.getLevel().toInt()) {
            case Level.ERROR_INT -> "error";
            case Level.WARN_INT -> "warn";
            case Level.INFO_INT -> "info";
            case Level.DEBUG_INT -> "debug";
            default -> "silly";
        };
    }

    static String stack(ILoggingEvent event) {
        return event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
    }

    static String shortName(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }
}
