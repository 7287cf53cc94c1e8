package dev.fairlead.domain.affinity;

import java.util.Locale;

/** Lists why a change waits; the words are the values of a metric's label. */
public enum WaitReason {
    DELETION_BEGUN,
    PAUSED,
    NOT_BOUND,
    ATTACHMENT_IN_MOTION,
    SETTLING,
    IN_USE,
    BREAKER,
    LIMIT;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
