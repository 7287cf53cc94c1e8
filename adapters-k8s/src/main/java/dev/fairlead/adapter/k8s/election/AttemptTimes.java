package dev.fairlead.adapter.k8s.election;

import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/** Says how long an attempt at the Lease may take, and how long to wait for the next one. */
record AttemptTimes(Times times, InstantSource monotonic) {
    /**
     * Returns half of what a leader has, so that one answer that never comes leaves time for another attempt.
     *
     * @param end when the lead ends; a time that never comes if this replica does not lead
     */
    Duration patience(Instant end) {
        Duration half = times.renewal().dividedBy(2);
        Instant now = monotonic.instant();
        return end.isAfter(now.plus(half)) ? half : max(Duration.between(now, end), Duration.ofMillis(1));
    }

    /** Returns a random wait, so that replicas that wait do not ask in step. */
    Duration jittered() {
        return times.retry()
                .plusNanos(ThreadLocalRandom.current().nextLong(times.retry().toNanos()));
    }

    /**
     * Returns a wait that ends soon after the leader's time is up at the latest: if a leader died, nobody should wait
     * longer than needed.
     */
    Duration untilFree(Instant freeAt) {
        Duration free = Duration.between(monotonic.instant(), freeAt)
                .plusNanos(ThreadLocalRandom.current().nextLong(times.retry().toNanos() / 10));
        Duration usual = jittered();
        return max(free.compareTo(usual) < 0 ? free : usual, times.retry().dividedBy(20));
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
