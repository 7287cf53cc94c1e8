package dev.fairlead.domain.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.affinity.AffinityChange.Kind;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class NodeAffinityTest {
    private static final String HOST = "example.com/host";
    private static final String ZONE = "example.com/zone";

    @Test
    void no_place_and_a_place_without_labels_are_unknown_and_never_every_node() {
        assertThat(VolumePlacement.within(List.of())).isInstanceOf(VolumePlacement.Unknown.class);
        assertThat(VolumePlacement.within(List.of(host("a"), TopologySegment.EVERYWHERE)))
                .isInstanceOf(VolumePlacement.Unknown.class);
        assertThat(VolumePlacement.within(List.of(TopologySegment.of(Map.of("x y", "1")))))
                .isInstanceOf(VolumePlacement.Unknown.class);
        assertThatThrownBy(() -> new VolumePlacement.Segments(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(NodeAffinity.of(new VolumePlacement.Unknown("half a list"))).isEmpty();
        assertThat(NodeAffinity.of(VolumePlacement.anywhere())).contains(NodeAffinity.UNSET);
    }

    @Test
    void what_a_change_does_to_the_nodes_is_told() {
        assertThat(kind(hosts("a", "b"), hosts("b", "a"))).isEqualTo(Kind.SAME);
        assertThat(kind(hosts("a"), hosts("a", "b"))).isEqualTo(Kind.WIDEN);
        assertThat(kind(hosts("a", "b"), hosts("a"))).isEqualTo(Kind.NARROW);
        assertThat(kind(hosts("a", "b"), hosts("b", "c"))).isEqualTo(Kind.MOVE);
        assertThat(kind(NodeAffinity.UNSET, hosts("a"))).isEqualTo(Kind.SET);
        assertThat(kind(hosts("a"), NodeAffinity.UNSET)).isEqualTo(Kind.WIDEN);
        assertThat(kind(NodeAffinity.UNSET, NodeAffinity.UNSET)).isEqualTo(Kind.SAME);
    }

    @Test
    void a_term_of_several_values_is_the_same_as_several_terms() {
        NodeAffinity handmade = new NodeAffinity(
                List.of(new NodeTerm(List.of(new NodeRequirement(false, HOST, "In", List.of("b", "a"))))));

        assertThat(kind(handmade, hosts("a", "b"))).isEqualTo(Kind.SAME);
        assertThat(kind(handmade, hosts("a"))).isEqualTo(Kind.NARROW);
    }

    @Test
    void an_operator_that_is_not_understood_is_never_taken_for_a_widening() {
        NodeAffinity odd = new NodeAffinity(
                List.of(new NodeTerm(List.of(new NodeRequirement(false, HOST, "Like", List.of("a"))))));

        assertThat(kind(odd, hosts("a"))).isEqualTo(Kind.MOVE);
        assertThat(odd.mayAdmit("n", Map.of())).isTrue();
    }

    @Test
    void terms_of_very_many_values_do_not_multiply_without_bound() {
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            many.add("v" + i);
        }
        List<NodeRequirement> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(new NodeRequirement(false, "example.com/k" + i, "In", many));
        }
        NodeAffinity wide = new NodeAffinity(List.of(new NodeTerm(all)));

        assertThat(kind(wide, wide)).isEqualTo(Kind.SAME);
        assertThat(kind(wide, hosts("a"))).isEqualTo(Kind.MOVE);
    }

    @Property(tries = 2000)
    void no_node_loses_a_volume_by_a_widening_and_none_gains_it_by_a_narrowing(
            @ForAll("affinities") NodeAffinity from, @ForAll("affinities") NodeAffinity to) {
        List<Integer> before = admitted(from);
        List<Integer> after = admitted(to);

        switch (kind(from, to)) {
            case SAME -> assertThat(after).isEqualTo(before);
            case WIDEN -> assertThat(after).containsAll(before);
            case NARROW, SET -> assertThat(before).containsAll(after);
            case MOVE -> {}
        }
    }

    @Property
    void an_affinity_equals_itself(@ForAll("affinities") NodeAffinity one) {
        assertThat(kind(one, one)).isEqualTo(Kind.SAME);
    }

    @Provide
    Arbitrary<NodeAffinity> affinities() {
        Arbitrary<NodeRequirement> requirement = Combinators.combine(
                        Arbitraries.of(HOST, ZONE),
                        Arbitraries.of("In", "In", "NotIn", "Exists", "DoesNotExist"),
                        Arbitraries.of("a", "b", "c")
                                .list()
                                .uniqueElements()
                                .ofMinSize(1)
                                .ofMaxSize(3))
                .as((key, operator, values) ->
                        new NodeRequirement(false, key, operator, operator.endsWith("In") ? values : List.of()));
        return requirement
                .list()
                .ofMinSize(0)
                .ofMaxSize(2)
                .map(NodeTerm::new)
                .list()
                .ofMinSize(0)
                .ofMaxSize(3)
                .map(NodeAffinity::new);
    }

    /** The nodes of a small cluster, by number: every host and zone, and none of either. */
    private static List<Integer> admitted(NodeAffinity affinity) {
        List<Integer> admitted = new ArrayList<>();
        List<String> values = List.of("a", "b", "c", "");
        for (int host = 0; host < 4; host++) {
            for (int zone = 0; zone < 4; zone++) {
                Map<String, String> labels =
                        new java.util.HashMap<>(Map.of(HOST, values.get(host), ZONE, values.get(zone)));
                labels.values().removeIf(String::isEmpty);
                if (affinity.mayAdmit("n", labels)) {
                    admitted.add(host * 4 + zone);
                }
            }
        }
        return admitted;
    }

    private static TopologySegment host(String name) {
        return TopologySegment.of(Map.of(HOST, name));
    }

    private static NodeAffinity hosts(String... names) {
        return NodeAffinity.of(VolumePlacement.within(
                        List.of(names).stream().map(NodeAffinityTest::host).toList()))
                .orElseThrow();
    }

    private static Kind kind(NodeAffinity from, NodeAffinity to) {
        return new AffinityChange("pv", "u", from, to, "test", "why", Optional.empty()).kind();
    }
}
