package dev.fairlead.simulator.core;

import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.error.ErrorNumber;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Twenty calls a minute of a method from an address before the login; a table of a hundred that is emptied at times.
 */
public final class RateLimit {
    private static final int CALLS = 20;
    private static final int ENTRIES = 100;
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration EMPTIED_EVERY = Duration.ofMinutes(10);

    private record Count(Instant began, int calls) {}

    private final Map<String, Count> counts = new HashMap<>();
    private final Clock clock;
    private final boolean on;
    private Instant emptied;

    /** Makes it, switched on or off. */
    public RateLimit(Clock clock, boolean on) {
        this.clock = clock;
        this.on = on;
        this.emptied = clock.instant();
    }

    /** Counts a call before the login, and refuses it beyond the limit. */
    public synchronized void count(String method, String address) {
        if (!on) return;
        Instant now = clock.instant();
        if (emptied.plus(EMPTIED_EVERY).isBefore(now)) {
            counts.clear();
            emptied = now;
        }
        String key = method + " " + address;
        Count count = counts.getOrDefault(key, new Count(now, 0));
        if (count.began().plus(WINDOW).isBefore(now)) count = new Count(now, 0);
        if (count.calls() >= CALLS || (counts.size() >= ENTRIES && !counts.containsKey(key)))
            throw ApiFailure.call(ErrorNumber.EBUSY, "Rate Limit Exceeded");
        counts.put(key, new Count(count.began(), count.calls() + 1));
    }
}
