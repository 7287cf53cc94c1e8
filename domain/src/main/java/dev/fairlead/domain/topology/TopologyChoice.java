package dev.fairlead.domain.topology;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides, alone for all callers, on which connections a volume may be made, and from where it is reachable then.
 *
 * <p>A candidate is acceptable if at least one requisite term is reachable from it; a term and a place agree if they
 * hold the same value for every key that both have, so a key that one lacks restricts nothing, and a term without
 * labels is reachable from every place. Candidates that reach an earlier preferred term come first, and among equals
 * the CSI name decides ({@link Rendezvous}): the same on every retry, and spread evenly over many names. Preferred
 * terms order and never exclude.
 *
 * <p>{@link Placement#UNKNOWN} is never chosen, required or not: the volume's node affinity is fixed when it is
 * created, and "unknown" could only be reported as "from everywhere", which nobody has said. A placement without any
 * place reaches no term; if nothing is required it comes last, since its file says that no affinity follows from it.
 */
public final class TopologyChoice {
    private TopologyChoice() {}

    /**
     * Names a connection that a class allows.
     *
     * @param subject whatever the caller wants back with it
     */
    public record ConnectionCandidate<T>(ConnectionName name, Placement placement, T subject) {}

    /**
     * Names an acceptable candidate.
     *
     * @param term the first preferred, else the first requisite term that it reaches; empty if none was given, or if
     *     terms were only preferred and none is reached
     */
    public record Choice<T>(ConnectionCandidate<T> candidate, Optional<TopologySegment> term) {}

    /**
     * Returns the acceptable candidates, best first; never empty.
     *
     * @throws StorageException {@code Unreachable}, saying why for each candidate
     */
    public static <T> List<Choice<T>> order(
            List<ConnectionCandidate<T>> candidates, AccessibilityRequirement wanted, String csiName) {
        List<Choice<T>> choices = candidates.stream()
                .filter(c -> satisfies(c.placement(), wanted))
                .sorted(Comparator.<ConnectionCandidate<T>>comparingInt(c -> rank(c.placement(), wanted))
                        .thenComparing(ConnectionCandidate::name, Rendezvous.of(csiName)))
                .map(c -> new Choice<>(c, term(c.placement(), wanted)))
                .toList();
        if (choices.isEmpty()) {
            throw new StorageException(new Failure.Unreachable(Unreached.message(candidates, wanted)));
        }
        return choices;
    }

    /** Says whether a volume of this placement is reachable from where it is wanted; also asked of existing volumes. */
    public static boolean satisfies(Placement placement, AccessibilityRequirement wanted) {
        if (wanted.isNone()) {
            return !(placement instanceof Placement.Unknown);
        }
        return wanted.requisite().isEmpty()
                ? reaches(placement, TopologySegment.EVERYWHERE)
                : wanted.requisite().stream().anyMatch(term -> reaches(placement, term));
    }

    /** Says whether storage of this placement is reachable from nodes of this segment; also asked for GetCapacity. */
    public static boolean reaches(Placement placement, TopologySegment where) {
        return switch (placement) {
            case Placement.Anywhere() -> true;
            case Placement.Unknown() -> false;
            case Placement.Within(List<Placement.Place> places) ->
                places.stream().anyMatch(place -> place.requirements().agreesWith(where));
        };
    }

    /**
     * Returns the segments from which a volume of this placement reports to be reachable: all places of its connection,
     * whichever term was asked for. An empty list means everywhere.
     */
    public static List<TopologySegment> reported(Placement placement) {
        return switch (placement) {
            case Placement.Anywhere() -> List.of();
            case Placement.Unknown() -> List.of();
            case Placement.Within(List<Placement.Place> places) -> {
                List<TopologySegment> segments = new ArrayList<>();
                for (Placement.Place place : places) {
                    if (!segments.contains(place.reported())) {
                        segments.add(place.reported());
                    }
                }
                // A place without labels is everywhere, and Kubernetes refuses an affinity without terms.
                yield segments.contains(TopologySegment.EVERYWHERE) ? List.of() : List.copyOf(segments);
            }
        };
    }

    private static int rank(Placement placement, AccessibilityRequirement wanted) {
        List<TopologySegment> preferred = wanted.preferred();
        for (int i = 0; i < preferred.size(); i++) {
            if (reaches(placement, preferred.get(i))) {
                return i;
            }
        }
        boolean nowhere = !reaches(placement, TopologySegment.EVERYWHERE);
        return nowhere ? Integer.MAX_VALUE : preferred.size();
    }

    private static Optional<TopologySegment> term(Placement placement, AccessibilityRequirement wanted) {
        return Stream.concat(wanted.preferred().stream(), wanted.requisite().stream())
                .filter(term -> reaches(placement, term))
                .findFirst();
    }
}
