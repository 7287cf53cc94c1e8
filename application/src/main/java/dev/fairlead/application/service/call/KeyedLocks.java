package dev.fairlead.application.service.call;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Locks by key that never wait: the second caller is told what is running, for how long, and how far it has come. CSI
 * asks for that answer (ABORTED), and the caller tries again.
 *
 * <p>If both halves of a driver run in one process, they share one table. Locks are taken in this order: the CSI name,
 * the handle, then the source's handle or the path; since nobody waits, another order costs a repeated call but never a
 * deadlock.
 */
public final class KeyedLocks {
    private final InstantSource clock;
    private final Map<Key, List<Hold>> held = new HashMap<>();

    public KeyedLocks(InstantSource clock) {
        this.clock = clock;
    }

    /** Runs the body while nobody else holds the key. */
    public <T> T exclusively(Key key, Work work, Supplier<T> body) {
        return holding(key, new Hold(work, clock.instant(), true), body);
    }

    /** Runs the body while nobody holds the key exclusively. */
    public <T> T sharing(Key key, Work work, Supplier<T> body) {
        return holding(key, new Hold(work, clock.instant(), false), body);
    }

    /** Runs the body while nobody holds any of the keys exclusively. */
    public <T> T sharingAll(List<Key> keys, Work work, Supplier<T> body) {
        return keys.isEmpty()
                ? body.get()
                : sharing(keys.getFirst(), work, () -> sharingAll(keys.subList(1, keys.size()), work, body));
    }

    /** Runs the body while nobody else holds any of the keys. */
    public <T> T exclusivelyAll(List<Key> keys, Work work, Supplier<T> body) {
        return keys.isEmpty()
                ? body.get()
                : exclusively(keys.getFirst(), work, () -> exclusivelyAll(keys.subList(1, keys.size()), work, body));
    }

    private <T> T holding(Key key, Hold hold, Supplier<T> body) {
        enter(key, hold);
        try {
            return body.get();
        } finally {
            leave(key, hold);
        }
    }

    private synchronized void enter(Key key, Hold hold) {
        List<Hold> holds = held.getOrDefault(key, List.of());
        if (!holds.isEmpty() && (hold.exclusive() || holds.getFirst().exclusive())) {
            throw pending(key, holds.getFirst());
        }
        held.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(hold);
    }

    private synchronized void leave(Key key, Hold hold) {
        held.computeIfPresent(key, (_, holds) -> {
            holds.remove(hold);
            return holds.isEmpty() ? null : holds;
        });
    }

    private StorageException pending(Key key, Hold running) {
        return new StorageException(new Failure.OperationPending(
                key.toString(),
                running.work().what(),
                Duration.between(running.since(), clock.instant()),
                running.work().progressSoFar()));
    }

    private record Hold(Work work, Instant since, boolean exclusive) {}
}
