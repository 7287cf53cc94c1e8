package dev.fairlead.adapter.kernel;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What one class has warned of while this is open. */
public final class Warnings implements AutoCloseable {
    private final Logger logger;
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().equals(Level.WARN)) {
                texts.add(event.getFormattedMessage());
            }
        }
    };

    public Warnings(Class<?> type) {
        logger = (Logger) LoggerFactory.getLogger(type);
        logger.setLevel(Level.WARN);
        appender.start();
        logger.addAppender(appender);
    }

    public List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }
}
