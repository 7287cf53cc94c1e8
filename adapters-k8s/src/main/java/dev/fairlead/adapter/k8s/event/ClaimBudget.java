package dev.fairlead.adapter.k8s.event;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Allows what is told on claims: so much of all volumes, and so little of each that one which fills and empties all the
 * time takes few turns of the others. For use by one thread.
 */
public final class ClaimBudget {
    static final int MOST = 25;
    static final Duration INTERVAL = Duration.ofSeconds(10);
    static final int MOST_OF_VOLUME = 6;
    static final Duration INTERVAL_OF_VOLUME = Duration.ofMinutes(10);

    private final InstantSource monotonic;
    private final Budget all;
    private final Map<String, Budget> volumes = new HashMap<>();

    public ClaimBudget(InstantSource monotonic) {
        this.monotonic = monotonic;
        this.all = new Budget(MOST, INTERVAL, monotonic);
    }

    /** Says whether anything may be told now, of a volume that has not used up its own. */
    boolean isLeft() {
        return all.isLeft();
    }

    /** Takes one use, if there is one of the volume and one of all; else none of either. */
    boolean spend(String handle) {
        volumes.values().removeIf(Budget::isWhole); // as a new one would be
        Budget own = volumes.computeIfAbsent(handle, _ -> new Budget(MOST_OF_VOLUME, INTERVAL_OF_VOLUME, monotonic));
        return own.isLeft() && all.spend() && own.spend();
    }
}
