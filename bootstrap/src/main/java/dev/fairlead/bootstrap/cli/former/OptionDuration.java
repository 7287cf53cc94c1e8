package dev.fairlead.bootstrap.cli.former;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration as flags of Go's programs have it, such as {@code 1m30s}, or as a number of seconds. */
public final class OptionDuration implements ITypeConverter<Duration> {
    private static final Pattern PART = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(h|ms|us|µs|ns|m|s)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
    private static final Duration LONGEST = Duration.ofDays(1);

    @Override
    public Duration convert(String text) {
        if (SECONDS.matcher(text).matches()) {
            return checked(text, Duration.ofSeconds(Long.parseLong(text)));
        }
        if (!WHOLE.matcher(text).matches()) {
            throw wrong(text);
        }
        double nanos = 0;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            nanos += Double.parseDouble(parts.group(1)) * nanos(parts.group(2));
        }
        return checked(text, Duration.ofNanos((long) Math.min(nanos, 2.0 * LONGEST.toNanos())));
    }

    private static double nanos(String unit) {
        return switch (unit) {
            case "h" -> 3_600e9;
            case "m" -> 60e9;
            case "s" -> 1e9;
            case "ms" -> 1e6;
            case "us", "µs" -> 1e3;
            default -> 1;
        };
    }

    private static Duration checked(String text, Duration parsed) {
        if (parsed.compareTo(LONGEST) > 0) {
            throw wrong(text);
        }
        return parsed;
    }

    private static TypeConversionException wrong(String text) {
        return new TypeConversionException("'" + text
                + "' is no duration that can be used (expected: such as 15s or 1m30s, or a number of seconds; 24h at"
                + " most)");
    }
}
