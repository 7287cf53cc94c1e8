package dev.fairlead.adapter.grpc;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import org.slf4j.LoggerFactory;

/** Everything that is logged, at every level, through either of the two logging interfaces in use, while it is open. */
public final class CapturedLogs implements AutoCloseable {
    /** A line with all that an encoder could write of it. */
    public record Line(String level, String logger, String text) {}

    private record Before(Level level, List<Appender<ILoggingEvent>> appenders) {
        static Before of(Logger logger) {
            List<Appender<ILoggingEvent>> appenders = new ArrayList<>();
            logger.iteratorForAppenders().forEachRemaining(appenders::add);
            return new Before(logger.getLevel(), appenders);
        }
    }

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final java.util.logging.Logger julRoot = java.util.logging.Logger.getLogger("");
    private final Before before = Before.of(root);
    private final java.util.logging.Level julBefore = julRoot.getLevel();

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            String thrown =
                    event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
            lines.add(new Line(
                    event.getLevel().toString(),
                    event.getLoggerName(),
                    event.getFormattedMessage() + " " + event.getKeyValuePairs() + " " + event.getMDCPropertyMap() + " "
                            + thrown));
        }
    };
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord event) {
            lines.add(new Line(
                    event.getLevel().getName(),
                    String.valueOf(event.getLoggerName()),
                    event.getMessage() + " " + Arrays.toString(event.getParameters()) + " " + event.getThrown()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    public CapturedLogs() {
        before.appenders().forEach(root::detachAppender);
        root.setLevel(Level.TRACE);
        julRoot.setLevel(java.util.logging.Level.ALL);
        appender.start();
        root.addAppender(appender);
        julRoot.addHandler(handler);
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /** The lines of one class at one level. */
    public List<Line> of(Class<?> logger, String level) {
        return lines.stream()
                .filter(line ->
                        line.logger().equals(logger.getName()) && line.level().equals(level))
                .toList();
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        julRoot.removeHandler(handler);
        root.setLevel(before.level());
        before.appenders().forEach(root::addAppender);
        julRoot.setLevel(julBefore);
    }
}
