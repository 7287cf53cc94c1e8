package dev.fairlead.application.port.out.placement;

import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.VolumePlacement;
import java.util.Map;

/**
 * Tells the orchestrator's users what becomes of volumes' affinity. It never throws, keeps nobody waiting, and drops
 * what is too much.
 */
public interface AffinityAnnouncer extends AutoCloseable {
    AffinityAnnouncer NONE = new AffinityAnnouncer() {
        @Override
        public void ended(ChangeOutcome outcome) {}

        @Override
        public void waits(AffinityChange change, ChangeDelay delay) {}

        @Override
        public void unknown(Map<String, VolumePlacement.Unknown> volumes) {}
    };

    void ended(ChangeOutcome outcome);

    /** Tells once, for each volume and reason, that a change waits. */
    void waits(AffinityChange change, ChangeDelay delay);

    /**
     * Takes what is unknown after each look, by the volumes' names, and tells once of each that was so for two looks.
     */
    void unknown(Map<String, VolumePlacement.Unknown> volumes);

    /** Returns how many times something was not told: too much waited, or the orchestrator did not take it. */
    default long dropped() {
        return 0;
    }

    /** Gives what is still to be told a moment. */
    @Override
    default void close() {}
}
