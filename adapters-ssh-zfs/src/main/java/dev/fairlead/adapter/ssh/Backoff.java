package dev.fairlead.adapter.ssh;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to leave a host alone that could not be reached: twice as long each time, up to a bound, and never two
 * clients in step.
 */
record Backoff(Duration first, Duration most) {
    static final Backoff USUAL = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));

    private static final int MAX_DOUBLINGS = 16;

    /** @param failures in a row, from 1 */
    Duration after(int failures) {
        long ceiling = Math.min(most.toNanos(), first.toNanos() << Math.min(failures - 1, MAX_DOUBLINGS));
        return Duration.ofNanos(ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1));
    }
}
