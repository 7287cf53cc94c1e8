package dev.fairlead.bootstrap.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.YamlReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheTimeoutTest {
    private final Problems problems = new Problems("driver.yaml");

    @Test
    void without_it_an_hour_is_what_is_documented() {
        assertThat(read("configFolder: /c")).contains(Duration.ofHours(1));
        assertThat(problems.all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"90,PT1H30M", "'\"15\"',PT15M", "0.5,PT30S", "1e300,PT2562047788015H12M55.807S"})
    void minutes_are_minutes_fractions_and_text_included(String minutes, Duration expected) {
        assertThat(read("cacheTimeoutMinutes: " + minutes)).contains(expected);
        assertThat(problems.all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-1.0", "'-1'"})
    void minus_one_is_for_ever_as_documented_and_warned_of_since_the_code_did_the_opposite(String minutes) {
        assertThat(read("cacheTimeoutMinutes: " + minutes)).isEmpty();

        assertThat(problems.all()).singleElement().satisfies(problem -> {
            assertThat(problem.isError()).isFalse();
            assertThat(problem.line()).isEqualTo(1);
            assertThat(problem.what()).contains("-1", "for ever", "democratic-csi did the opposite");
            assertThat(problem.remedy()).contains("write 0");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "'0'"})
    void zero_is_never_as_documented_and_warned_of_since_the_code_did_the_opposite(String minutes) {
        assertThat(read("cacheTimeoutMinutes: " + minutes)).contains(Duration.ZERO);

        assertThat(problems.all()).singleElement().satisfies(problem -> {
            assertThat(problem.isError()).isFalse();
            assertThat(problem.what()).contains("is 0", "never", "democratic-csi did the opposite");
            assertThat(problem.remedy()).contains("write -1");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-2", "-0.5", ".nan", "NaN", "1h", "\"\""})
    void anything_else_is_refused(String minutes) {
        read("cacheTimeoutMinutes: " + minutes);

        assertThat(problems.errors())
                .extracting(Problem::what)
                .singleElement()
                .satisfies(what -> assertThat(what).contains("no number of minutes"));
    }

    private Optional<Duration> read(String text) {
        var file =
                YamlReader.read(text.getBytes(StandardCharsets.UTF_8), problems).orElseThrow();
        return CacheTimeout.read(ConfigNode.root(file, problems));
    }
}
