package dev.fairlead.application.service.affinity;

import java.time.Duration;

/**
 * Limits how many volumes are tried to be changed in a span of time, however often it is looked. Not for use by several
 * threads.
 */
public final class ChangeBudget {
    private final int most;
    private final Duration span;
    private Duration last = Duration.ZERO;
    private double left;

    /**
     * @param most the number of volumes that may be tried at once, and in each span
     * @param span the time in which so many come anew
     */
    public ChangeBudget(int most, Duration span) {
        this.most = most;
        this.span = span;
        this.left = most;
    }

    /**
     * Says whether another volume may be tried.
     *
     * @param now the time on a clock that never goes back
     */
    boolean isLeft(Duration now) {
        double spans = (double) now.minus(last).toNanos() / span.toNanos();
        left = Math.min(most, left + Math.max(0, spans) * most);
        last = now;
        return left >= 1;
    }

    void spend() {
        left--;
    }
}
