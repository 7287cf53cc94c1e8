package dev.fairlead.adapter.linstor.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a policy allows, and that no text opens a volume by mistake. */
class AccessPolicyTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    @Test
    void the_words_of_a_policy_are_read() {
        assertThat(AccessPolicy.parse("true")).contains(AccessPolicy.ANYWHERE);
        assertThat(AccessPolicy.parse(" False ")).contains(AccessPolicy.LOCAL);
        assertThat(AccessPolicy.parse("- {}")).contains(AccessPolicy.ANYWHERE);
        assertThat(AccessPolicy.parse("- fromSame: [" + ZONE + "]\n- fromSame:\n  - linbit.com/hostname"))
                .map(AccessPolicy::rules)
                .hasValueSatisfying(rules -> assertThat(rules).hasSize(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yes please",
                "[]",
                "{}",
                "- fromSame: zone",
                "- fromSame: [1]",
                "- fromSame: ['']",
                "- fromSame:",
                "- fromSame: []",
                "- fromsame: [a]",
                "- {fromSame: [a], other: [b]}",
                "- true",
                "null",
                "- fromSame: [a",
                "[{fromSame: [!!int x]}]",
                "[{fromSame: [!!timestamp x]}]",
                "[{fromSame: !!binary x}]",
                "[{!!float fromSame: [a]}]",
                "- <<: {fromSame: [a]}",
                "- !!javax.script.ScriptEngineManager []",
                "- &a {fromSame: [x]}\n- fromSame: [a]\n  fromSame: []"
            })
    void what_is_no_policy_is_none_and_never_anywhere(String text) {
        assertThat(AccessPolicy.parse(text)).isEmpty();
    }

    @Test
    void a_rule_opens_a_volume_to_the_nodes_that_share_the_named_property() {
        AccessPolicy zone = AccessPolicy.parse("- fromSame: [" + ZONE + "]").orElseThrow();

        assertThat(zone.from(List.of(node("a", Map.of(ZONE, "z1")), node("b", Map.of(ZONE, "z1")))))
                .isEqualTo(within(Map.of(ZONE, "z1")));
    }

    @Test
    void a_property_that_is_missing_narrows_to_the_node() {
        AccessPolicy both =
                AccessPolicy.parse("- fromSame: [" + ZONE + ", rack]").orElseThrow();

        assertThat(both.from(List.of(node("a", Map.of(ZONE, "z1")))))
                .isEqualTo(within(Map.of(AccessPolicy.HOSTNAME, "a")));
    }

    @Test
    void a_place_that_a_more_general_one_covers_is_left_out() {
        AccessPolicy either = AccessPolicy.parse("- fromSame: [" + ZONE + "]\n- fromSame: [" + ZONE + ", rack]")
                .orElseThrow();

        assertThat(either.from(List.of(node("a", Map.of(ZONE, "z1", "rack", "r1")))))
                .isEqualTo(within(Map.of(ZONE, "z1")));
    }

    @Test
    void no_replica_is_unknown_whatever_the_policy() {
        assertThat(AccessPolicy.ANYWHERE.from(List.of())).isInstanceOf(VolumePlacement.Unknown.class);
    }

    private static LinstorNode node(String name, Map<String, String> labels) {
        Map<String, String> all = new HashMap<>(labels);
        all.put(AccessPolicy.HOSTNAME, name);
        return new LinstorNode(name, true, false, all);
    }

    private static VolumePlacement within(Map<String, String> labels) {
        return VolumePlacement.within(List.of(TopologySegment.of(labels)));
    }
}
