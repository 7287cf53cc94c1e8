package dev.fairlead.adapter.freenas.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ApiVersionsTest {
    @ParameterizedTest
    @CsvSource({
        "v25.04.2 v25.10.0 v26.0.0 v26.1.0, v26.0.0",
        "v25.10.5 v26.0.0 v26.0.1, v26.0.0",
        "v25.10.4 v25.10.5 v25.10.6, v25.10.5",
        "v25.04.2 v25.04.3, v25.04.2",
        "v25.10.5 v25.11.0, v25.10.5",
        "v27.0.0 v26.0.0 v25.10.0, v26.0.0"
    })
    void a_box_with_a_version_that_nobody_knows_is_spoken_to_by_the_newest_known_one(String spoken, String chosen) {
        ApiVersions versions = ApiVersions.of(versions(spoken));

        assertThat(versions.chosen()).hasToString(chosen);
        assertThat(versions.areOwn()).isFalse();
    }

    @Test
    void a_box_that_speaks_no_known_version_is_spoken_to_by_its_own() {
        ApiVersions versions = ApiVersions.of(versions("v28.0.0 v28.1.0"));

        assertThat(versions.chosen()).hasToString("v28.1.0");
        assertThat(versions.areOwn()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_04", "V25_10_0", "V25_10", "V26_BETA", "V26"})
    void each_release_that_was_read_is_spoken_to_by_its_own_version(Profile profile) {
        ApiVersions versions = ApiVersions.of(versions(String.join(" ", profile.apis())));

        assertThat(versions.chosen()).hasToString(profile.apis().getLast());
        assertThat(versions.areOwn()).isTrue();
    }

    private static List<TruenasVersion> versions(String texts) {
        return Stream.of(texts.split(" "))
                .map(text -> TruenasVersion.parse(text).orElseThrow())
                .toList();
    }
}
