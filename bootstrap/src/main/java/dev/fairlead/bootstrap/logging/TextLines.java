package dev.fairlead.bootstrap.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.slf4j.event.KeyValuePair;

/**
 * Writes a line for people: time, level, message, then {@code key=value}. Control characters of a message are written
 * as escapes, so that a caller's text cannot forge a line or move a terminal's cursor.
 */
final class TextLines extends Lines {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    private final boolean color;

    TextLines(boolean color) {
        this.color = color;
    }

    @Override
    void write(ILoggingEvent event, StringBuilder line) {
        line.append(paint("2", TIME.format(event.getInstant())))
                .append(' ')
                .append(paint(hue(event), "%-5s".formatted(level(event))))
                .append(' ')
                .append(printable(event.getFormattedMessage()));
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                line.append(' ').append(paint("36", pair.key + "=")).append(value(String.valueOf(pair.value)));
            }
        }
        String stack = stack(event);
        if (!stack.isEmpty()) {
            line.append('\n').append(stack.stripTrailing());
        }
    }

    private static String hue(ILoggingEvent event) {
        return switch (event.getLevel().toInt()) {
            case Level.ERROR_INT -> "1;31";
            case Level.WARN_INT -> "33";
            case Level.INFO_INT -> "32";
            default -> "2";
        };
    }

    private String paint(String hue, String text) {
        return color ? "\u001b[" + hue + "m" + text + "\u001b[0m" : text;
    }

    private static String value(String text) {
        boolean plain = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c != '"' && c != '=' && c < 0x7F);
        return plain ? text : JsonText.quote(text);
    }

    private static String printable(String text) {
        return text.chars().noneMatch(c -> c < 0x20 || (c >= 0x7F && c < 0xA0)) ? text : JsonText.quote(text);
    }
}
