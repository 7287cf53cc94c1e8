package dev.fairlead.domain.affinity;

import dev.fairlead.domain.topology.TopologySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes the nodes on which all of some conditions hold; no condition means no node, as in Kubernetes. */
public record NodeTerm(List<NodeRequirement> all) {
    /** The number of terms into which one with several values is split at most. */
    private static final int MOST_PARTS = 256;

    public NodeTerm {
        all = all.stream()
                .distinct()
                .sorted(Comparator.comparing(NodeRequirement::toString))
                .toList();
    }

    static NodeTerm of(TopologySegment segment) {
        return new NodeTerm(segment.labels().entrySet().stream()
                .map(label -> NodeRequirement.label(label.getKey(), label.getValue()))
                .toList());
    }

    /** Returns the term of the nodes that have a label, whatever its value. */
    static NodeTerm withLabel(String key) {
        return new NodeTerm(List.of(new NodeRequirement(false, key, "Exists", List.of())));
    }

    /** Says whether every node of the other term is one of this; false if that cannot be told. */
    boolean covers(NodeTerm other) {
        boolean everyHolds = all.stream().allMatch(mine -> other.all.stream().anyMatch(theirs -> theirs.implies(mine)));
        return other.all.isEmpty() || (!all.isEmpty() && everyHolds);
    }

    boolean mayAdmit(String node, Map<String, String> labels) {
        return !all.isEmpty() && all.stream().allMatch(one -> one.mayHold(node, labels));
    }

    /**
     * Returns terms of one value for each key, which together have the same nodes; this one if they would be too many.
     */
    List<NodeTerm> split() {
        List<List<NodeRequirement>> parts = List.of(List.of());
        for (NodeRequirement one : all) {
            boolean several =
                    one.operator().equals(NodeRequirement.IN) && one.values().size() > 1;
            List<NodeRequirement> ways = several
                    ? one.values().stream()
                            .map(value -> new NodeRequirement(one.onField(), one.key(), one.operator(), List.of(value)))
                            .toList()
                    : List.of(one);
            if ((long) parts.size() * ways.size() > MOST_PARTS) {
                return List.of(this);
            }
            parts = product(parts, ways);
        }
        return parts.stream().map(NodeTerm::new).toList();
    }

    private static List<List<NodeRequirement>> product(List<List<NodeRequirement>> parts, List<NodeRequirement> ways) {
        List<List<NodeRequirement>> product = new ArrayList<>();
        for (List<NodeRequirement> part : parts) {
            for (NodeRequirement way : ways) {
                List<NodeRequirement> longer = new ArrayList<>(part);
                longer.add(way);
                product.add(longer);
            }
        }
        return product;
    }

    @Override
    public String toString() {
        return all.stream().map(NodeRequirement::toString).collect(Collectors.joining(" and ", "[", "]"));
    }
}
