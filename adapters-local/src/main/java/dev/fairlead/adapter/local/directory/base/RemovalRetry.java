package dev.fairlead.adapter.local.directory.base;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Says when something that failed is tried again: after a minute, then after times that double up to an hour. */
final class RemovalRetry {
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private final InstantSource clock;
    private Duration wait = Duration.ZERO;
    private Instant next = Instant.MAX;

    RemovalRetry(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns whether something failed and it is time to try it again. */
    synchronized boolean isDue() {
        return !next.equals(Instant.MAX) && !clock.instant().isBefore(next);
    }

    /** Returns whether the last attempt failed. */
    synchronized boolean hasFailed() {
        return !next.equals(Instant.MAX);
    }

    synchronized void succeeded() {
        wait = Duration.ZERO;
        next = Instant.MAX;
    }

    /** Records a failure and returns when to try again. */
    synchronized Instant failed() {
        Duration doubled = wait.isZero() ? FIRST : wait.multipliedBy(2);
        wait = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        next = clock.instant().plus(wait);
        return next;
    }
}
