package dev.fairlead.domain.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostFindingTest {
    @ParameterizedTest
    @EnumSource
    void a_node_reads_what_the_controller_has_found(HostFinding finding) {
        assertThat(HostFinding.read(finding.context())).isEqualTo(finding);
    }

    @Test
    void what_is_not_known_is_not_told() {
        assertThat(HostFinding.UNKNOWN.context()).isEmpty();
        assertThat(HostFinding.WRITTEN.context()).containsExactly(Map.entry("fairlead.dev/device", "written"));
        assertThat(HostFinding.read(Map.of("devicePath", "/dev/sdb"))).isEqualTo(HostFinding.UNKNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Blank", "blank ", "unknown", "BLANK", "\n"})
    void a_word_that_is_not_known_objects(String word) {
        assertThat(HostFinding.read(Map.of(HostFinding.KEY, word))).isEqualTo(HostFinding.WRITTEN);
    }
}
