package dev.fairlead.adapter.freenas.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TruenasVersionTest {
    @ParameterizedTest
    @CsvSource({
        "FreeNAS-11.2-U5, 11, 2, 5, FINAL, 0",
        "TrueNAS-12.0-RELEASE, 12, 0, 0, FINAL, 0",
        "TrueNAS-13.0-U6.3, 13, 0, 6, FINAL, 0",
        "TrueNAS-SCALE-22.12.3, 22, 12, 3, FINAL, 0",
        "TrueNAS-SCALE-24.10.2.4, 24, 10, 2, FINAL, 0",
        "TrueNAS-25.04.2.6, 25, 4, 2, FINAL, 0",
        "TrueNAS-25.10.0, 25, 10, 0, FINAL, 0",
        "25.10.2, 25, 10, 2, FINAL, 0",
        "TrueNAS-26.0.0-BETA.3, 26, 0, 0, BETA, 3",
        "TrueNAS-26.0.0-RC.1, 26, 0, 0, RC, 1",
        "v26.0.0, 26, 0, 0, FINAL, 0",
    })
    void a_version_is_read(String text, int major, int minor, int patch, TruenasVersion.Stage stage, int number) {
        assertThat(TruenasVersion.parse(text)).contains(new TruenasVersion(major, minor, patch, stage, number, text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "TrueNAS", "<html>", "99999999999.1", "v1"})
    void anything_else_is_none(String text) {
        assertThat(TruenasVersion.parse(text)).isEmpty();
    }

    @Test
    void the_order_is_that_of_release() {
        assertThat(List.of(
                                "13.0-U6",
                                "24.10",
                                "25.04.2",
                                "25.10.0",
                                "25.10.1",
                                "26.0.0-BETA.1",
                                "26.0.0-BETA.2",
                                "26.0.0-RC.1",
                                "26.0.0",
                                "27.0.0")
                        .stream()
                        .map(text -> TruenasVersion.parse(text).orElseThrow()))
                .isSorted();
    }

    @Test
    void a_beta_counts_as_its_release() {
        var beta = TruenasVersion.parse("TrueNAS-26.0.0-BETA.1").orElseThrow();

        assertThat(beta.isAtLeast(26, 0)).isTrue();
        assertThat(beta.isAtLeast(26, 0, 1)).isFalse();
        assertThat(TruenasVersion.parse("25.10.0").orElseThrow().isAtLeast(25, 10, 1))
                .isFalse();
    }
}
