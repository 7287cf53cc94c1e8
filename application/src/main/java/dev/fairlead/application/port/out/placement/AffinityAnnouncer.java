package dev.fairlead.application.port.out.placement;

import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;

/** Tells the orchestrator's users what becomes of volumes' affinity. It never throws, and drops what is too much. */
public interface AffinityAnnouncer {
    AffinityAnnouncer NONE = new AffinityAnnouncer() {
        @Override
        public void ended(ChangeOutcome outcome) {}

        @Override
        public void waits(AffinityChange change, ChangeDelay delay) {}
    };

    void ended(ChangeOutcome outcome);

    /** Tells once, for each volume and reason, that a change waits. */
    void waits(AffinityChange change, ChangeDelay delay);
}
