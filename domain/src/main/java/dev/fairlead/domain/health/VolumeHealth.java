package dev.fairlead.domain.health;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says how a volume is on this node.
 *
 * @param conditions what is wrong with it, each reason once; empty if nothing is known to be wrong
 */
public record VolumeHealth(List<HealthCondition> conditions) {
    public static final VolumeHealth GOOD = new VolumeHealth(List.of());

    public VolumeHealth {
        conditions = List.copyOf(conditions);
    }

    public boolean isAbnormal() {
        return !conditions.isEmpty();
    }

    /** Returns whether the look could tell that there is nothing of a reason, if it has found nothing of it. */
    public boolean tells(HealthReason reason) {
        return conditions.stream().noneMatch(it -> it.untold().contains(reason));
    }

    /** Returns the same health with one thing more that is wrong. */
    public VolumeHealth with(HealthCondition more) {
        return new VolumeHealth(
                Stream.concat(conditions.stream(), Stream.of(more)).toList());
    }

    /** Returns all that is wrong in one text; empty if nothing is. */
    public String message() {
        return conditions.stream()
                .map(it -> it.reason().camelCase() + ": " + it.message())
                .collect(Collectors.joining("; "));
    }
}
