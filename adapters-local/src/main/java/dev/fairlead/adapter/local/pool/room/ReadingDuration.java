package dev.fairlead.adapter.local.pool.room;

import java.time.Duration;
import java.time.Instant;

/** Tells for which time a reading of a pool is used. */
public final class ReadingDuration {
    /** The time that any reading is used for. */
    public static final Duration FRESH = Duration.ofSeconds(1);

    /**
     * The time that a reading is used for, in times of what it took, so that readings take a tenth of the time at most.
     */
    private static final int REST = 10;

    /** The longest time that a reading is used for, unless it took longer itself. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** The longest time for one that took so long that its disk was silent, or that the clock was set meanwhile. */
    private static final Duration MOST = Duration.ofMinutes(5);

    private ReadingDuration() {}

    /**
     * Returns when a reading is used no more. It is used from its end on: where it took longer than a call waits, the
     * next call finds it.
     *
     * @param shared whether other nodes make volumes in the pool, which are not seen later than usual
     */
    public static Instant end(Instant begun, Instant there, boolean shared) {
        Duration took = Duration.between(begun, there);
        Duration rest = took.multipliedBy(REST);
        if (shared || rest.compareTo(FRESH) <= 0) {
            return there.plus(FRESH);
        }
        Duration most = took.compareTo(LONGEST) > 0 ? shorter(took, MOST) : LONGEST;
        return there.plus(shorter(rest, most));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
