package dev.fairlead.domain.affinity;

import java.util.Locale;
import java.util.Optional;

/** Lists why a change waits; the words are the values of a metric's label. */
public enum WaitReason {
    DELETION_BEGUN,
    PAUSED,
    NOT_BOUND,
    ATTACHMENT_IN_MOTION,
    SETTLING,
    IN_USE,
    /** Kubernetes does not know a node that matters. */
    UNKNOWN_NODE,
    BREAKER,
    /** Its source was asked and has not answered in time. */
    NOT_READ;

    /** Returns what was found to be wrong; empty if the change only waits for its time. */
    public Optional<AffinityFinding> finding() {
        return this == UNKNOWN_NODE ? Optional.of(AffinityFinding.UNKNOWN_NODE) : Optional.empty();
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
