package dev.fairlead.adapter.k8s;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long to wait before asking again: twice as long each time, up to a bound, and never two clients in step.
 *
 * @param first before the second attempt, at most
 * @param most before any
 */
record Backoff(Duration first, Duration most) {
    static final Backoff USUAL = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

    private static final int MAX_DOUBLINGS = 16;

    /** @param attempt from 0 */
    Duration after(int attempt) {
        long ceiling = Math.min(most.toNanos(), first.toNanos() << Math.min(attempt, MAX_DOUBLINGS));
        return Duration.ofNanos(ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1));
    }

    static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
