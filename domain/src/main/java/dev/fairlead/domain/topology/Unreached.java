package dev.fairlead.domain.topology;

import dev.fairlead.domain.topology.TopologyChoice.ConnectionCandidate;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Says for each connection why a volume cannot be made there; bounded, as a gRPC status message is. */
final class Unreached {
    private static final int MAX_LISTED = 8;

    private Unreached() {}

    static <T> String message(List<ConnectionCandidate<T>> candidates, AccessibilityRequirement wanted) {
        if (candidates.isEmpty()) {
            return "no connection is there to choose from";
        }
        String asked = wanted.isNone()
                ? "no connection can be chosen"
                : "no connection is reachable from where the volume is wanted ("
                        + list(
                                wanted.requisite().isEmpty() ? wanted.preferred() : wanted.requisite(),
                                t -> t + "",
                                " or ")
                        + ")";
        return asked + ": " + list(candidates, c -> c.name() + " " + why(c.placement()), "; ")
                + "; change allowedTopologies or the pod's node selection, or name a connection that is reachable there";
    }

    private static String why(Placement placement) {
        return switch (placement) {
            case Placement.Anywhere() -> "is reachable from everywhere";
            case Placement.Unknown() -> "does not say now from where it is reachable";
            case Placement.Within(List<Placement.Place> places)
            when places.isEmpty() -> "is reachable from nowhere (its topology is an empty list)";
            case Placement.Within(List<Placement.Place> places) ->
                "is reachable only from " + list(places, place -> place.requirements() + "", " or ");
        };
    }

    private static <E> String list(List<E> items, Function<E, String> words, String separator) {
        String listed = items.stream().limit(MAX_LISTED).map(words).collect(Collectors.joining(separator));
        int more = items.size() - MAX_LISTED;
        return more > 0 ? listed + " and " + more + " more" : listed;
    }
}
