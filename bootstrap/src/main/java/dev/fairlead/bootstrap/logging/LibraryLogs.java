package dev.fairlead.bootstrap.logging;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes gRPC's messages to {@code java.util.logging} into the same log as all others. */
final class LibraryLogs extends Handler {
    private final SimpleFormatter formatter = new SimpleFormatter();

    @Override
    public void publish(LogRecord entry) {
        String name = entry.getLoggerName() == null ? "library" : entry.getLoggerName();
        Logger logger = LoggerFactory.getLogger(name);
        if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
            logger.error(formatter.formatMessage(entry), entry.getThrown());
        } else if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
            logger.warn(formatter.formatMessage(entry), entry.getThrown());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
