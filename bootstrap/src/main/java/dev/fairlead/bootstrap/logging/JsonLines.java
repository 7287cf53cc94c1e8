package dev.fairlead.bootstrap.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import org.slf4j.event.KeyValuePair;

/** Writes one JSON object a line: time, level, logger, message, then the event's own keys. */
final class JsonLines extends Lines {
    @Override
    void write(ILoggingEvent event, StringBuilder line) {
        line.append("{\"timestamp\":\"").append(time(event)).append('"');
        field(line, "level", level(event));
        field(line, "logger", shortName(event.getLoggerName()));
        field(line, "message", event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                value(line, pair);
            }
        }
        String stack = stack(event);
        if (!stack.isEmpty()) {
            field(line, "stack", stack);
        }
        line.append('}');
    }

    private static void value(StringBuilder line, KeyValuePair pair) {
        switch (pair.value) {
            case Number _, Boolean _ -> {
                JsonText.quote(line.append(','), pair.key);
                line.append(':').append(pair.value);
            }
            case null, default -> field(line, pair.key, String.valueOf(pair.value));
        }
    }

    private static void field(StringBuilder line, String key, String value) {
        JsonText.quote(line.append(','), key);
        JsonText.quote(line.append(':'), value);
    }
}
