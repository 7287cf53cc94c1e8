package dev.fairlead.domain.affinity;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Says from which nodes a PersistentVolume can be used: those of any of its terms.
 *
 * @param terms none if the field is not set, so that every node can use it
 */
public record NodeAffinity(List<NodeTerm> terms) {
    public static final NodeAffinity UNSET = new NodeAffinity(List.of());

    public NodeAffinity {
        terms = terms.stream()
                .distinct()
                .sorted(Comparator.comparing(NodeTerm::toString))
                .toList();
    }

    /** Returns the affinity that follows from a placement; empty if none does. */
    public static Optional<NodeAffinity> of(VolumePlacement placement) {
        return switch (placement) {
            case VolumePlacement.Anywhere() -> Optional.of(UNSET);
            case VolumePlacement.Unknown _ -> Optional.empty();
            case VolumePlacement.Labelled(String key) ->
                Optional.of(new NodeAffinity(List.of(NodeTerm.withLabel(key))));
            case VolumePlacement.Segments(var any) ->
                Optional.of(new NodeAffinity(any.stream().map(NodeTerm::of).toList()));
        };
    }

    public boolean isUnset() {
        return terms.isEmpty();
    }

    /** Says whether every node that the other admits is admitted by this; false if that cannot be told. */
    public boolean covers(NodeAffinity other) {
        boolean everyTerm = other.terms.stream()
                .flatMap(term -> term.split().stream())
                .allMatch(theirs -> terms.stream().anyMatch(mine -> mine.covers(theirs)));
        return isUnset() || (!other.isUnset() && everyTerm);
    }

    /** Says whether a node may be admitted; true if a condition is not understood. */
    public boolean mayAdmit(String node, Map<String, String> labels) {
        return isUnset() || terms.stream().anyMatch(term -> term.mayAdmit(node, labels));
    }

    @Override
    public String toString() {
        return isUnset() ? "every node" : terms.stream().map(NodeTerm::toString).collect(Collectors.joining(" or "));
    }
}
