package dev.fairlead.bootstrap.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.fairlead.bootstrap.logging.LogSettings.Format;
import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LinesTest {
    private static final String HOSTILE = "a\"b\\\n\u001b[31m\u0085é";

    @Test
    void json_is_one_line_with_every_key() {
        String line =
                line(new JsonLines(), "volume created", new KeyValuePair("ms", 3), new KeyValuePair("v", HOSTILE));

        assertThat(line)
                .isEqualTo("{\"timestamp\":\"2026-01-01T00:00:00Z\",\"level\":\"info\",\"logger\":\"Service\","
                        + "\"message\":\"volume created\",\"ms\":3,"
                        + "\"v\":\"a\\\"b\\\\\\n\\u001b[31m\\u0085é\"}\n");
    }

    @Test
    void text_shows_keys_and_lets_nobody_forge_a_line_or_move_the_cursor() {
        String line =
                line(new TextLines(false), HOSTILE, new KeyValuePair("v", "plain"), new KeyValuePair("w", "two words"));

        assertThat(line.substring(13))
                .isEqualTo("info  \"a\\\"b\\\\\\n\\u001b[31m\\u0085é\" v=plain w=\"two words\"\n");
    }

    @Test
    void settings_follow_the_option_the_environment_and_production() {
        assertThat(settings(Map.of())).isEqualTo(new LogSettings(LogLevel.VERBOSE, Format.TEXT, true));
        assertThat(settings(Map.of("NO_COLOR", "1")).color()).isFalse();
        assertThat(settings(Map.of("DEMOCRATIC_CSI_LOG_LEVEL", "silly")).level())
                .isEqualTo(LogLevel.SILLY);
        assertThat(settings(Map.of("NODE_ENV", "production")))
                .extracting(LogSettings::level, LogSettings::format)
                .containsExactly(LogLevel.INFO, Format.JSON);
        assertThat(LogSettings.of(Optional.of(LogLevel.WARN), Optional.of(Format.JSON), Map.of(), false))
                .isEqualTo(new LogSettings(LogLevel.WARN, Format.JSON, false));
    }

    @Test
    void libraries_stay_at_warnings_at_every_level() {
        Logging.use(new LogSettings(LogLevel.SILLY, Format.TEXT, false));

        assertThat(org.slf4j.LoggerFactory.getLogger("io.grpc.netty").isInfoEnabled())
                .isFalse();
        assertThat(org.slf4j.LoggerFactory.getLogger("dev.fairlead.any").isTraceEnabled())
                .isTrue();
        Logging.use(new LogSettings(LogLevel.ERROR, Format.TEXT, false));
        assertThat(org.slf4j.LoggerFactory.getLogger("dev.fairlead.any").isWarnEnabled())
                .isFalse();
    }

    private static LogSettings settings(Map<String, String> environment) {
        return LogSettings.of(Optional.empty(), Optional.empty(), environment, true);
    }

    private static String line(Lines lines, String message, KeyValuePair... pairs) {
        var event = new LoggingEvent();
        event.setLoggerContext(new LoggerContext());
        event.setLoggerName("dev.fairlead.Service");
        event.setLevel(Level.INFO);
        event.setMessage(message);
        event.setInstant(Instant.parse("2026-01-01T00:00:00Z"));
        List.of(pairs).forEach(event::addKeyValuePair);
        return new String(lines.encode(event), StandardCharsets.UTF_8);
    }
}
