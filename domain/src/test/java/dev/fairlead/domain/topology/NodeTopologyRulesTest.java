package dev.fairlead.domain.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.NodeTopologyRule.TextSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeTopologyRulesTest {
    private static final TopologyPrefix PREFIX = new TopologyPrefix("p");

    @Test
    void all_nodes_of_a_cluster_are_in_one_place() {
        assertThat(labels(rules(NodeTopologyRules.Type.CLUSTER), node("n1")))
                .containsExactly(Map.entry("p/cluster", "local"));
    }

    @Test
    void each_node_is_a_place_of_its_own() {
        assertThat(labels(rules(NodeTopologyRules.Type.NODE), node("n1.example")))
                .containsExactly(Map.entry("p/node", "n1.example"));
    }

    @Test
    void a_node_without_a_name_or_with_too_long_a_one_cannot_say_where_it_is() {
        assertThatThrownBy(() -> rules(NodeTopologyRules.Type.NODE)
                        .evaluate(new Facts(Optional.empty(), Optional.empty(), Map.of(), Map.of())))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("CSI_NODE_ID");
        assertThatThrownBy(() -> rules(NodeTopologyRules.Type.NODE).evaluate(node("n".repeat(64))))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("type zone");
    }

    @ParameterizedTest
    @CsvSource({"cluster, CLUSTER", "node, NODE", "zone, ZONE", "custom, ZONE"})
    void types_are_spelled_as_in_either_of_the_peers_documents(String name, NodeTopologyRules.Type type) {
        assertThat(NodeTopologyRules.Type.named(name)).isEqualTo(type);
        assertThatThrownBy(() -> NodeTopologyRules.Type.named(name + "x"))
                .hasMessageContaining("cluster, node, zone or custom");
    }

    @Test
    void rules_read_every_source() {
        Facts facts = new Facts(
                Optional.of("zone1-node7"),
                Optional.of("host.rack3"),
                Map.of("REGION", "r1"),
                Map.of("/etc/room", "room-4\n"));
        NodeTopologyRules rules = rules(
                NodeTopologyRules.Type.ZONE,
                NodeTopologyRule.of("zone", TextSource.NODE_NAME, "(zone\\d+)-.*", "{match:1}"),
                NodeTopologyRule.of("rack", TextSource.HOSTNAME, ".*\\.rack(\\d+)", "rack-${match:1}"),
                NodeTopologyRule.of("region", new TextSource.Env("REGION"), "(.*)", "{match:0}"),
                NodeTopologyRule.of("room", new TextSource.TextFile("/etc/room"), "(.*)", "{match:0}"));

        assertThat(labels(rules, facts))
                .isEqualTo(Map.of("p/zone", "zone1", "p/rack", "rack-3", "p/region", "r1", "p/room", "room-4"));
    }

    @Test
    void a_rule_that_does_not_match_is_skipped_with_its_reason() {
        NodeTopologyRules.Outcome outcome = rules(
                        NodeTopologyRules.Type.ZONE,
                        NodeTopologyRule.of("zone", TextSource.NODE_NAME, "other-.*", "{match:0}"),
                        NodeTopologyRule.of("region", new TextSource.Env("REGION"), "(.*)", "{match:0}"),
                        NodeTopologyRule.of("room", new TextSource.TextFile("/etc/room"), "(.*)", "{match:0}"),
                        NodeTopologyRule.of("node", TextSource.NODE_NAME, "(.*)", "{match:0}"))
                .evaluate(node("n1"));

        assertThat(outcome.segment().labels()).containsExactly(Map.entry("p/node", "n1"));
        assertThat(outcome.skipped())
                .extracting(NodeTopologyRules.Skipped::reason)
                .containsExactly(
                        "the node name 'n1' as a whole does not match 'other-.*'",
                        "the environment variable REGION is not there",
                        "the file /etc/room is not there");
    }

    @Test
    void a_regex_has_to_match_as_a_whole_alternatives_included() {
        NodeTopologyRules rules = rules(
                NodeTopologyRules.Type.ZONE, NodeTopologyRule.of("x", TextSource.NODE_NAME, "foo|1", "x-{match:0}"));

        assertThat(labels(rules, node("node-1"))).isEmpty();
        assertThat(labels(rules, node("1"))).containsEntry("p/x", "x-1");
    }

    @Test
    void the_later_rule_of_a_key_counts_unless_it_is_skipped() {
        NodeTopologyRule general = NodeTopologyRule.of("zone", TextSource.NODE_NAME, ".*", "general");
        NodeTopologyRule special = NodeTopologyRule.of("zone", TextSource.NODE_NAME, "s.*", "special");

        assertThat(labels(rules(NodeTopologyRules.Type.ZONE, general, special), node("s1")))
                .containsEntry("p/zone", "special");
        assertThat(labels(rules(NodeTopologyRules.Type.ZONE, general, special), node("n1")))
                .containsEntry("p/zone", "general");
        assertThat(labels(rules(NodeTopologyRules.Type.ZONE, special, general), node("s1")))
                .containsEntry("p/zone", "general");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "a b", "zoneä", "x/y"})
    void a_value_that_is_no_label_skips_the_rule(String value) {
        Facts facts = new Facts(Optional.of("n"), Optional.empty(), Map.of("Z", value), Map.of());
        NodeTopologyRules.Outcome outcome = rules(
                        NodeTopologyRules.Type.ZONE,
                        NodeTopologyRule.of("zone", new TextSource.Env("Z"), "(.*)", "{match:1}"))
                .evaluate(facts);

        assertThat(outcome.segment()).isEqualTo(TopologySegment.EVERYWHERE);
        assertThat(outcome.skipped()).singleElement().satisfies(skipped -> {
            assertThat(skipped.reason()).contains("is not a label's");
            assertThat(skipped.invalid()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource({"'a\n', a", "'a\r\n', a", "'a\n\n', a", "'a ', a", "' \ta \n', a"})
    void blanks_and_line_ends_around_a_file_s_text_are_not_part_of_it(String text, String value) {
        Facts facts = new Facts(Optional.of("n"), Optional.empty(), Map.of(), Map.of("/z", text));

        assertThat(labels(
                        rules(
                                NodeTopologyRules.Type.ZONE,
                                NodeTopologyRule.of("zone", new TextSource.TextFile("/z"), "(.*)", "{match:0}")),
                        facts))
                .containsEntry("p/zone", value);
    }

    @Test
    void a_text_of_two_lines_does_not_match_by_default() {
        Facts facts = new Facts(Optional.of("n"), Optional.empty(), Map.of(), Map.of("/z", "a\nb\n"));

        assertThat(labels(
                        rules(
                                NodeTopologyRules.Type.ZONE,
                                NodeTopologyRule.of(
                                        "zone", new TextSource.TextFile("/z"), NodeTopologyRule.ANYTHING, "{match:0}")),
                        facts))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"(a+)+(b)\\2, 40, too many steps", "(a|aa)+b, 4096, too many steps", "a*, 4097, longer than 4096"})
    void a_regex_or_text_that_would_never_end_is_given_up(String regex, int length, String why) {
        Facts facts = new Facts(Optional.of("n"), Optional.empty(), Map.of("Z", "a".repeat(length)), Map.of());

        NodeTopologyRules.Outcome outcome = rules(
                        NodeTopologyRules.Type.ZONE, NodeTopologyRule.of("zone", new TextSource.Env("Z"), regex, "x"))
                .evaluate(facts);

        assertThat(outcome.skipped())
                .singleElement()
                .satisfies(skipped -> assertThat(skipped.reason()).contains(why));
    }

    @ParameterizedTest
    @CsvSource({
        "a b, (.*), {match:0}, topologyKey",
        "zone, (, {match:0}, regex",
        "zone, a, {match:1}, template",
    })
    void a_rule_that_can_never_work_is_refused_by_its_setting(
            String key, String regex, String template, String setting) {
        assertThatThrownBy(() -> NodeTopologyRule.of(key, TextSource.NODE_NAME, regex, template))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(setting + ": ");
    }

    private static NodeTopologyRules rules(NodeTopologyRules.Type type, NodeTopologyRule... rules) {
        return new NodeTopologyRules(type, PREFIX, List.of(rules));
    }

    @Test
    void a_label_of_the_node_gives_its_value_and_one_that_is_absent_gives_none() {
        var there = NodeTopologyRule.of(
                "zone", new TextSource.Label("topology.kubernetes.io/zone"), NodeTopologyRule.ANYTHING, "{match:0}");
        var absent = NodeTopologyRule.of(
                "rack", new TextSource.Label("example.org/rack"), NodeTopologyRule.ANYTHING, "{match:0}");
        var rules = new NodeTopologyRules(NodeTopologyRules.Type.ZONE, new TopologyPrefix("p"), List.of(there, absent));

        var outcome = rules.evaluate(node("n1"));

        assertThat(outcome.segment().labels()).isEqualTo(Map.of("p/zone", "z1"));
        assertThat(outcome.skipped())
                .extracting(NodeTopologyRules.Skipped::reason)
                .containsExactly("the node label example.org/rack is not there");
        assertThat(rules.needLabels()).isTrue();
        assertThat(new NodeTopologyRules(NodeTopologyRules.Type.NODE, rules.prefix(), rules.rules()).needLabels())
                .isFalse();
    }

    private static Map<String, String> labels(NodeTopologyRules rules, NodeFacts facts) {
        return rules.evaluate(facts).segment().labels();
    }

    private static Facts node(String name) {
        return new Facts(Optional.of(name), Optional.empty(), Map.of(), Map.of());
    }

    private record Facts(
            Optional<String> nodeName, Optional<String> hostname, Map<String, String> envs, Map<String, String> files)
            implements NodeFacts {
        @Override
        public Optional<String> env(String name) {
            return Optional.ofNullable(envs.get(name));
        }

        @Override
        public Optional<String> file(String path) {
            return Optional.ofNullable(files.get(path));
        }

        @Override
        public Optional<String> label(String name) {
            return name.equals("topology.kubernetes.io/zone") ? Optional.of("z1") : Optional.empty();
        }
    }
}
