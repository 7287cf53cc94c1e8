package dev.fairlead.domain.health;

/**
 * Says what is wrong with a volume.
 *
 * @param message for people: what, where, and what to do next
 */
public record HealthCondition(HealthReason reason, String message) {
    public HealthStatus status() {
        return reason.status();
    }
}
