package dev.fairlead.adapter.k8s.event;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Allows so many uses at once, and then one more in each interval. For use by one thread. */
public final class Budget {
    private final int most;
    private final Duration interval;
    private final InstantSource monotonic;
    private int left;
    private Instant counted;

    public Budget(int most, Duration interval, InstantSource monotonic) {
        this.most = most;
        this.interval = interval;
        this.monotonic = monotonic;
        this.left = most;
        this.counted = monotonic.instant();
    }

    public synchronized boolean spend() {
        earn();
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }

    /** Says whether one may be spent now. */
    synchronized boolean isLeft() {
        earn();
        return left > 0;
    }

    /** Says whether all that was spent has been earned again. */
    synchronized boolean isWhole() {
        earn();
        return left == most;
    }

    private void earn() {
        long earned = Duration.between(counted, monotonic.instant()).dividedBy(interval);
        counted = counted.plus(interval.multipliedBy(earned));
        left = (int) Math.min(most, left + earned);
    }
}
