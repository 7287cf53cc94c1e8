package dev.fairlead.application.service.health;

import dev.fairlead.application.port.out.node.StagedHandles;
import java.time.InstantSource;
import java.util.Set;

/**
 * Says of which drivers the volumes are looked at, and what is needed for that.
 *
 * @param drivers the CSI names of this process, below whose staging paths volumes are found that the journal does not
 *     have
 * @param clock the clock by which their usage gets old, one that never goes back
 * @param handles tells which volumes these are
 */
public record HealthSettings(Set<String> drivers, InstantSource clock, StagedHandles handles) {
    public HealthSettings {
        drivers = Set.copyOf(drivers);
    }

    /** Says the same where nothing tells which volumes these are. */
    public HealthSettings(Set<String> drivers, InstantSource clock) {
        this(drivers, clock, StagedHandles.UNKNOWN);
    }
}
