package dev.fairlead.bootstrap.driver;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations as people write them: {@code 500ms}, {@code 10s}, {@code 2m}. */
final class Durations {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(ms|s|m)");

    private Durations() {}

    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no duration");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
        if (duration.isZero() || duration.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("'" + text + "' is not more than nothing and at most an hour");
        }
        return duration;
    }
}
