package dev.fairlead.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyLabelsTest {
    private static final String MAX = "a".repeat(63);

    @ParameterizedTest
    @ValueSource(strings = {"zone", "Zone_1.x-y", "org.democratic-csi.topology/zone", "a/b", "1.2/3"})
    void keys_as_csi_allows_them(String key) {
        assertThat(TopologyLabels.keyProblem(key)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "/", "a/", "/a", "a/b/c", "-a", "a-", "_a", "a b", "ä", "A/b", "a_b/c", "a..b/c", ".a/b", "a./b",
                "-a/b", "a-/b", "a.-b/c", "a\n", "a/b\n"
            })
    void other_keys_are_refused(String key) {
        assertThat(TopologyLabels.keyProblem(key)).get().asString().contains("expected: ");
    }

    @Test
    void lengths_are_csis_for_own_keys_and_kubernetes_for_foreign_ones() {
        assertThat(TopologyLabels.keyProblem(MAX + "/" + MAX)).isEmpty();
        assertThat(TopologyLabels.keyProblem("a" + MAX)).isPresent();
        assertThat(TopologyLabels.keyProblem("a" + MAX + "/x")).isPresent();
        assertThat(TopologyLabels.foreignKeyProblem("a" + MAX + "/x")).isEmpty();
        assertThat(TopologyLabels.foreignKeyProblem("a".repeat(254) + "/x")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "a b", "a/b", "ä", "a\n"})
    void values_are_labels(String value) {
        assertThat(TopologyLabels.valueProblem(value)).isPresent();
        assertThat(TopologyLabels.valueProblem("a" + MAX)).isPresent();
        assertThat(TopologyLabels.valueProblem(MAX)).isEmpty();
        assertThat(TopologyLabels.valueProblem("Z_1.x-2")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void malformed_segments_of_a_request_are_the_callers_fault(Map<String, String> labels) {
        assertThatThrownBy(() -> TopologyLabels.requested("accessibility_requirements", labels))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("accessibility_requirements");
    }

    static java.util.List<Map<String, String>> malformed_segments_of_a_request_are_the_callers_fault() {
        return java.util.List.of(
                Map.of("a b", "1"),
                Map.of("p/zone", "not ok"),
                Map.of("p/zone", ""),
                Map.of("p/Zone", "1", "p/zone", "1"));
    }

    @Test
    void well_formed_segments_pass_and_so_does_an_empty_one() {
        assertThat(TopologyLabels.requested("x", Map.of("p/zone", "1")).labels())
                .containsEntry("p/zone", "1");
        assertThat(TopologyLabels.requested("x", Map.of())).isEqualTo(TopologySegment.EVERYWHERE);
    }

    @Test
    void short_keys_get_the_prefix() {
        TopologySegment segment =
                TopologyPrefix.DEFAULT.segment(Map.of("zone", "z1", "org.democratic-csi.topology/region", "r1"));

        assertThat(segment.labels())
                .isEqualTo(
                        Map.of("org.democratic-csi.topology/zone", "z1", "org.democratic-csi.topology/region", "r1"));
    }

    @Test
    void short_keys_that_make_no_label_are_refused() {
        TopologyPrefix prefix = new TopologyPrefix("p");

        assertThatThrownBy(() -> prefix.segment(Map.of("other.org/zone", "z1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'other.org/zone'");
        assertThatThrownBy(() -> prefix.segment(Map.of("zone", "z 1"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> prefix.segment(Map.of("zone", "z1", "p/zone", "z2")))
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> new TopologyPrefix("Not.A.Domain")).isInstanceOf(IllegalArgumentException.class);
    }
}
