package dev.fairlead.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.TopologyChoice.ConnectionCandidate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What external-provisioner asks for, by binding mode, {@code --strict-topology}, {@code allowedTopologies} and
 * {@code --immediate-topology}, in a cluster of two zones with a connection in each.
 */
class TopologyOfStorageClassesTest {
    private static final TopologySegment NODE_1 = node("zone1");
    private static final TopologySegment NODE_2 = node("zone2");
    private static final TopologySegment ALLOWED_1 = TopologyPrefix.DEFAULT.segment(Map.of("zone", "zone1"));
    private static final TopologySegment ALLOWED_2 = TopologyPrefix.DEFAULT.segment(Map.of("zone", "zone2"));
    private static final ConnectionCandidate<String> C1 = connection("c1", NODE_1);
    private static final ConnectionCandidate<String> C2 = connection("c2", NODE_2);

    static Stream<Arguments> a_class_of_both_connections_goes_where_it_is_wanted() {
        return Stream.of(
                Arguments.of("first consumer, strict", List.of(NODE_2), List.of(NODE_2), List.of("c2")),
                Arguments.of(
                        "first consumer, not strict, no allowedTopologies",
                        List.of(NODE_1, NODE_2),
                        List.of(NODE_2, NODE_1),
                        List.of("c2", "c1")),
                Arguments.of(
                        "first consumer, not strict, allowedTopologies",
                        List.of(ALLOWED_1, ALLOWED_2),
                        List.of(ALLOWED_2, ALLOWED_1),
                        List.of("c2", "c1")),
                Arguments.of("immediate, allowedTopologies", List.of(ALLOWED_1), List.of(ALLOWED_1), List.of("c1")),
                Arguments.of(
                        "immediate, no allowedTopologies",
                        List.of(NODE_1, NODE_2),
                        List.of(NODE_1, NODE_2),
                        List.of("c1", "c2")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void a_class_of_both_connections_goes_where_it_is_wanted(
            String binding, List<TopologySegment> requisite, List<TopologySegment> preferred, List<String> expected) {
        var wanted = new AccessibilityRequirement(requisite, preferred);

        assertThat(order(wanted, C1, C2)).as(binding).isEqualTo(expected);
    }

    @Test
    void immediate_without_immediate_topology_asks_for_nothing_and_never_fails() {
        assertThat(order(AccessibilityRequirement.NONE, C1, C2)).containsExactlyInAnyOrder("c1", "c2");
        assertThat(order(AccessibilityRequirement.NONE, C2)).containsExactly("c2");
    }

    @Test
    void a_class_of_one_connection_follows_its_allowed_topologies() {
        var allowed = new AccessibilityRequirement(List.of(ALLOWED_1), List.of(ALLOWED_1));

        assertThat(order(allowed, C1)).containsExactly("c1");
        assertThatThrownBy(() -> order(allowed, C2))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("c2 is reachable only from", "zone1");
    }

    @Test
    void a_class_of_one_connection_is_refused_for_a_pod_in_another_zone() {
        var strict = new AccessibilityRequirement(List.of(NODE_2), List.of(NODE_2));

        assertThatThrownBy(() -> order(strict, C1)).isInstanceOf(StorageException.class);
        assertThat(order(strict, C2)).containsExactly("c2");
    }

    @Test
    void the_volume_carries_requirements_with_the_prefix_and_extra_labels_as_they_are() {
        assertThat(TopologyChoice.reported(C1.placement()))
                .containsExactly(TopologySegment.of(Map.of(
                        "org.democratic-csi.topology/region", "region1",
                        "org.democratic-csi.topology/zone", "zone1",
                        "custom.prefix/custom.name", "custom.value")));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static List<String> order(AccessibilityRequirement wanted, ConnectionCandidate<String>... candidates) {
        return TopologyChoice.order(List.of(candidates), wanted, "pvc-1").stream()
                .map(choice -> choice.candidate().name().value())
                .toList();
    }

    private static TopologySegment node(String zone) {
        return TopologyPrefix.DEFAULT.segment(Map.of("region", "region1", "zone", zone));
    }

    private static ConnectionCandidate<String> connection(String name, TopologySegment requirements) {
        var place = new Placement.Place(
                requirements, TopologySegment.of(Map.of("custom.prefix/custom.name", "custom.value")));
        return new ConnectionCandidate<>(new ConnectionName(name), new Placement.Within(List.of(place)), "");
    }
}
