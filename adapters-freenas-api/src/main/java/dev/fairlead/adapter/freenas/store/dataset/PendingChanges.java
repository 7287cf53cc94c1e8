package dev.fairlead.adapter.freenas.store.dataset;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Remembers changes whose end was not seen. A box goes on with a call when its connection is cut, so what such a call
 * makes may come after somebody has looked whether it is there.
 */
public final class PendingChanges {
    /** The time after which a call that was cut is taken for ended. */
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private final InstantSource clock;
    private final Instant opened;
    private final ConcurrentMap<String, Instant> pending = new ConcurrentHashMap<>();

    public PendingChanges(InstantSource clock) {
        this.clock = clock;
        this.opened = clock.instant();
    }

    /** Notes that a change was sent and its answer was not seen. */
    public void add(String what) {
        pending.put(what, clock.instant());
    }

    /** Notes that the change has been seen done, or that it can do nothing any more. */
    public void settle(String what) {
        pending.remove(what);
    }

    /** Says whether the change may still be under way. */
    public boolean has(String what) {
        Instant now = clock.instant();
        pending.values().removeIf(since -> since.plus(LONGEST).isBefore(now));
        return pending.containsKey(what);
    }

    /** Says whether this process began so lately that changes of one before it may still be under way. */
    public boolean mayHaveInherited() {
        return !opened.plus(LONGEST).isBefore(clock.instant());
    }
}
