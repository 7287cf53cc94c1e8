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
        long earned = Duration.between(counted, monotonic.instant()).dividedBy(interval);
        counted = counted.plus(interval.multipliedBy(earned));
        left = (int) Math.min(most, left + earned);
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }
}
