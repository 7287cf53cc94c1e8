package dev.fairlead.adapter.local.pool.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingDurationTest {
    private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "PT0.01S, PT1S",
        "PT0.3S, PT3S",
        "PT5S, PT10S",
        "PT12S, PT12S",
        "PT60S, PT60S",
        "PT2H, PT5M",
        "PT-2H, PT1S"
    })
    void a_reading_is_used_for_ten_times_of_what_it_took_and_at_least_as_long_as_it_took(Duration took, Duration used) {
        Instant there = BEGUN.plus(took);

        assertThat(ReadingDuration.end(BEGUN, there, false)).isEqualTo(there.plus(used));
        assertThat(ReadingDuration.end(BEGUN, there, true)).isEqualTo(there.plusSeconds(1));
    }
}
