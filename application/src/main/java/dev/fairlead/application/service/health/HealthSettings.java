package dev.fairlead.application.service.health;

import java.time.InstantSource;
import java.util.Set;

/**
 * Says of which drivers the volumes are looked at, and by which clock their usage gets old.
 *
 * @param drivers the CSI names of this process, below whose staging paths volumes are found that the journal does not
 *     have
 * @param clock one that never goes back
 */
public record HealthSettings(Set<String> drivers, InstantSource clock) {
    public HealthSettings {
        drivers = Set.copyOf(drivers);
    }
}
