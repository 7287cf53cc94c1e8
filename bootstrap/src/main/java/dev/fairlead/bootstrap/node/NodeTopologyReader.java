package dev.fairlead.bootstrap.node;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.domain.topology.NodeTopologyRule;
import dev.fairlead.domain.topology.NodeTopologyRule.TextSource;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code proxy.nodeTopology} of the main file, in the spelling of democratic-csi's code and documentation and in
 * that of its example: {@code fromRegexp} or {@code customRules}, {@code topologyKey} or {@code keySuffix},
 * {@code regex} or {@code matchRegexp}, {@code template} or {@code resultTemplate}, {@code zone} or {@code custom}.
 */
public final class NodeTopologyReader {
    private final ConfigNode node;
    private final Problems problems;

    public NodeTopologyReader(ConfigNode proxy) {
        this.node = proxy.child("nodeTopology");
        this.problems = proxy.problems();
    }

    /** Returns the rules of a driver whose volumes are each node's own, of which the prefix alone can be chosen. */
    public NodeTopologyRules perNode() {
        return new NodeTopologyRules(NodeTopologyRules.Type.NODE, prefix(), List.of());
    }

    private TopologyPrefix prefix() {
        return node.optional("prefix", TopologyPrefix::new, "expected: a domain name, such as org.example.topology")
                .orElse(TopologyPrefix.DEFAULT);
    }

    public NodeTopologyRules read() {
        TopologyPrefix prefix = prefix();
        NodeTopologyRules.Type type = node.optional(
                        "type", NodeTopologyRules.Type::named, "expected: cluster, node or zone (also called custom)")
                .orElse(NodeTopologyRules.Type.CLUSTER);
        List<NodeTopologyRule> rules = new ArrayList<>();
        for (String key : List.of("fromRegexp", "customRules")) {
            node.children(key).forEach(rule -> read(rule).ifPresent(rules::add));
        }
        if (type == NodeTopologyRules.Type.ZONE && rules.isEmpty() && !problems.hasErrors()) {
            problems.error(
                    node.pathOf("fromRegexp"),
                    node.line(),
                    "is missing, so that no node would say where it is",
                    "add at least one rule with topologyKey and source");
        }
        if (type != NodeTopologyRules.Type.ZONE && !rules.isEmpty()) {
            problems.warning(
                    node.pathOf("type"),
                    node.lineOf("type"),
                    "is not zone, so that the rules are not used",
                    "set zone");
        }
        return new NodeTopologyRules(type, prefix, rules);
    }

    private Optional<NodeTopologyRule> read(ConfigNode rule) {
        Optional<TextSource> source = source(rule);
        Optional<String> key = either(rule, "topologyKey", "keySuffix");
        String regex = either(rule, "regex", "matchRegexp").orElse(NodeTopologyRule.ANYTHING);
        String template = either(rule, "template", "resultTemplate").orElse("{match:0}");
        if (key.isEmpty()) {
            problems.error(rule.pathOf("topologyKey"), rule.line(), "is missing", "name a short key, such as zone");
        }
        if (key.isEmpty() || source.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(NodeTopologyRule.of(key.get(), source.get(), regex, template));
        } catch (IllegalArgumentException e) {
            String why = e.getMessage();
            problems.error(rule.path(), rule.line(), why == null ? "is malformed" : why, "correct the rule");
            return Optional.empty();
        }
    }

    private Optional<TextSource> source(ConfigNode rule) {
        Optional<String> name = rule.string("source");
        Optional<String> variable = rule.string("envName");
        Optional<String> file = rule.string("file");
        Optional<String> label = either(rule, "labelName", "key");
        return switch (name.orElse("")) {
            case "nodeName" -> Optional.of(TextSource.NODE_NAME);
            case "hostname" -> Optional.of(TextSource.HOSTNAME);
            case "env" -> variable.<TextSource>map(TextSource.Env::new).or(() -> missing(rule, "envName"));
            case "file" -> file.<TextSource>map(TextSource.TextFile::new).or(() -> missing(rule, "file"));
            case "nodeLabels" -> label.<TextSource>map(TextSource.Label::new).or(() -> missing(rule, "labelName"));
            default -> {
                problems.error(
                        rule.pathOf("source"),
                        rule.lineOf("source"),
                        name.map(text -> "'" + text + "' is not known").orElse("is missing"),
                        "expected: nodeName, hostname, env, file or nodeLabels");
                yield Optional.empty();
            }
        };
    }

    private Optional<TextSource> missing(ConfigNode rule, String key) {
        problems.error(rule.pathOf(key), rule.line(), "is missing", "it says what the source reads");
        return Optional.empty();
    }

    private Optional<String> either(ConfigNode rule, String one, String other) {
        Optional<String> first = rule.string(one);
        Optional<String> second = rule.string(other);
        if (first.isPresent() && second.isPresent()) {
            problems.error(rule.pathOf(other), rule.lineOf(other), "is another word for " + one, "keep one of the two");
        }
        return first.or(() -> second);
    }
}
