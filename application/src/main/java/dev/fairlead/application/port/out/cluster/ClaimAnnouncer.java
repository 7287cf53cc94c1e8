package dev.fairlead.application.port.out.cluster;

import dev.fairlead.domain.health.VolumeHealth;
import java.util.Map;

/** Tells the users of volumes, at their claims, what is wrong with these. It never blocks and never throws. */
@FunctionalInterface
public interface ClaimAnnouncer {
    ClaimAnnouncer NONE = _ -> {};

    /**
     * Takes what a look at all staged volumes of this node has found. What begins or ends is told once; what cannot be
     * told is tried again with the next look.
     *
     * @param volumes by their handles
     */
    void found(Map<String, VolumeHealth> volumes);
}
