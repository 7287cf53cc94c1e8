package dev.fairlead.domain.health;

import java.util.Set;

/**
 * Says what is wrong with a volume.
 *
 * @param message for people: what, where, and what to do next
 * @param untold what a look that has seen this could not tell
 */
public record HealthCondition(HealthReason reason, String message, Set<HealthReason> untold) {
    public HealthCondition {
        untold = Set.copyOf(untold);
    }

    public HealthCondition(HealthReason reason, String message) {
        this(reason, message, reason.hides());
    }

    public HealthStatus status() {
        return reason.status();
    }
}
