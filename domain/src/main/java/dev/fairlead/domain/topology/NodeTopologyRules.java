package dev.fairlead.domain.topology;

import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds where a node is, by the settings of {@code proxy.nodeTopology}.
 *
 * @param rules used by {@link Type#ZONE} alone; of two that give the same key, the later counts
 */
public record NodeTopologyRules(Type type, TopologyPrefix prefix, List<NodeTopologyRule> rules) {
    public NodeTopologyRules {
        rules = List.copyOf(rules);
    }

    /** Says whether the node's own labels have to be known. */
    public boolean needLabels() {
        return type == Type.ZONE
                && rules.stream().anyMatch(rule -> rule.source() instanceof NodeTopologyRule.TextSource.Label);
    }

    /**
     * Returns the labels of the node that these facts are about.
     *
     * <p>A rule whose text is not there, does not match, or gives no valid label is skipped, so that one list of rules
     * can serve nodes of different kinds.
     *
     * @throws StorageException {@code NodeFault} if the type is {@link Type#NODE} and the node's name cannot be a label
     */
    public Outcome evaluate(NodeFacts facts) {
        return switch (type) {
            case CLUSTER -> new Outcome(prefix.segment(Map.of("cluster", "local")), List.of());
            case NODE -> new Outcome(prefix.segment(Map.of("node", nodeLabel(facts))), List.of());
            case ZONE -> byRules(facts);
        };
    }

    private static String nodeLabel(NodeFacts facts) {
        String name = facts.nodeName()
                .orElseThrow(() -> fault("the node's name is not known; set CSI_NODE_ID to it (spec.nodeName)"));
        TopologyLabels.valueProblem(name).ifPresent(why -> {
            throw fault("the node's name cannot be a label: " + why
                    + "; use nodeTopology.type zone with a rule that shortens it");
        });
        return name;
    }

    private static StorageException fault(String detail) {
        return new StorageException(new Failure.NodeFault("finding the node's topology", detail));
    }

    private Outcome byRules(NodeFacts facts) {
        Map<String, String> labels = new TreeMap<>();
        List<Skipped> skipped = new ArrayList<>();
        for (NodeTopologyRule rule : rules) {
            Optional<String> text = rule.source().read(facts);
            Result result =
                    text.isEmpty() ? new Result.No("the " + rule.source() + " is not there") : apply(rule, text.get());
            switch (result) {
                case Result.Value(String value) -> labels.put(prefix.key(rule.topologyKey()), value);
                case Result.No(String reason) -> skipped.add(new Skipped(rule, reason, false));
                case Result.Invalid(String reason) -> skipped.add(new Skipped(rule, reason, true));
            }
        }
        return new Outcome(TopologySegment.of(labels), skipped);
    }

    private static Result apply(NodeTopologyRule rule, String text) {
        return switch (BoundedMatch.of(rule.regex(), text)) {
            case BoundedMatch.Outcome.TooCostly(String why) ->
                new Result.No("the " + rule.source() + " " + Excerpt.of(text) + " " + why);
            case BoundedMatch.Outcome.None() ->
                new Result.No("the " + rule.source() + " " + Excerpt.of(text) + " as a whole does not match "
                        + Excerpt.of(rule.regex().pattern()));
            case BoundedMatch.Outcome.Matched(var match) ->
                checked(rule.template().render(match, text));
        };
    }

    private static Result checked(String value) {
        return TopologyLabels.valueProblem(value)
                .<Result>map(Result.Invalid::new)
                .orElseGet(() -> new Result.Value(value));
    }

    /** There are three ways to say where a node is. */
    public enum Type {
        /** All nodes are in one place. */
        CLUSTER,
        /** Each node is a place of its own. */
        NODE,
        /** Rules find the place. */
        ZONE;

        /** Returns the type of this name in a configuration; {@code custom} is another word for {@code zone}. */
        public static Type named(String name) {
            return switch (name) {
                case "cluster" -> CLUSTER;
                case "node" -> NODE;
                case "zone", "custom" -> ZONE;
                default ->
                    throw new IllegalArgumentException("nodeTopology.type: " + Excerpt.of(name)
                            + " is not a known type (expected: cluster, node, zone or custom)");
            };
        }
    }

    /** Holds the node's labels, and the rules that gave none. */
    public record Outcome(TopologySegment segment, List<Skipped> skipped) {
        public Outcome {
            skipped = List.copyOf(skipped);
        }
    }

    /**
     * Names a rule that gave no label on this node, and why.
     *
     * @param invalid whether the rule gave a value that no label can have, which nobody can have wanted
     */
    public record Skipped(NodeTopologyRule rule, String reason, boolean invalid) {}

    private sealed interface Result {
        record Value(String value) implements Result {}

        record No(String reason) implements Result {}

        record Invalid(String reason) implements Result {}
    }
}
