package dev.fairlead.adapter.freenas.store.dataset;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Remembers changes whose end was not seen. A box goes on with a call when its connection is cut, so what such a call
 * makes may come after somebody has looked whether it is there.
 */
public final class PendingChanges {
    /** The time after which a call that was cut is taken for ended. */
    public static final Duration LONGEST = Duration.ofMinutes(3);

    /** The longest time by which another controller's clock may be ahead before its notes mean nothing. */
    private static final Duration MOST_AHEAD = Duration.ofHours(1);

    private final InstantSource clock;
    private final AtomicReference<Optional<Instant>> begun = new AtomicReference<>(Optional.empty());
    private final ConcurrentMap<String, Instant> pending = new ConcurrentHashMap<>();
    private final Set<String> settled = ConcurrentHashMap.newKeySet();
    private final String process = UUID.randomUUID().toString();

    public PendingChanges(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns the time by the clock of the changes. */
    public Instant now() {
        return clock.instant();
    }

    /** Returns a text by which what this process notes on the box is told from the notes of others. */
    public String process() {
        return process;
    }

    /** Says whether a time that was noted on the box, in milliseconds, is so lately that a call of then may come. */
    boolean isYoung(String noted) {
        if (!noted.matches("[1-9][0-9]{0,14}")) {
            return false;
        }
        Instant set = Instant.ofEpochMilli(Long.parseLong(noted));
        return set.plus(LONGEST).isAfter(now()) && set.isBefore(now().plus(MOST_AHEAD));
    }

    /**
     * Returns when this process began to ask boxes: with its first question here, since one that waits to lead asks
     * none, however long it waits.
     */
    private Instant begun() {
        return begun.updateAndGet(known -> known.or(() -> Optional.of(clock.instant())))
                .orElseThrow();
    }

    /** Notes that a change was sent and its answer was not seen. */
    public void add(String what) {
        Instant _ = begun();
        pending.put(what, clock.instant());
    }

    /** Notes that the change has been seen done, or that it can do nothing any more. */
    public void settle(String what) {
        pending.remove(what);
        if (mayHaveInherited()) {
            settled.add(what);
        }
    }

    /** Says whether the change may still be under way. */
    public boolean has(String what) {
        Instant _ = begun();
        Instant now = clock.instant();
        pending.values().removeIf(since -> since.plus(LONGEST).isBefore(now));
        return pending.containsKey(what);
    }

    /** Says the same also of changes of a process before this one, as long as they were not settled by this one. */
    public boolean mayCome(String what) {
        return has(what) || (mayHaveInherited() && !settled.contains(what));
    }

    /** Says whether this process began so lately that changes of one before it may still be under way. */
    private boolean mayHaveInherited() {
        boolean may = !begun().plus(LONGEST).isBefore(clock.instant());
        if (!may) {
            settled.clear();
        }
        return may;
    }
}
