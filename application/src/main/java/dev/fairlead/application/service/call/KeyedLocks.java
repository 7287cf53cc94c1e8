package dev.fairlead.application.service.call;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import java.nio.file.Path;
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
 * the handle, its attachment, its device, then the source's handle or the path; since nobody waits, another order costs
 * a repeated call but never a deadlock.
 */
public final class KeyedLocks {
    private final InstantSource clock;
    private final Map<LockKey, List<Hold>> held = new HashMap<>();

    public KeyedLocks(InstantSource clock) {
        this.clock = clock;
    }

    /** Runs the body while nobody else holds the key. */
    public <T> T exclusively(LockKey key, Work work, Supplier<T> body) {
        return holding(key, new Hold(work, clock.instant(), true), body);
    }

    /** Runs a body that answers nothing while nobody else holds the key. */
    public void exclusively(LockKey key, Work work, Runnable body) {
        exclusively(key, work, answering(body));
    }

    /** Runs the body while nobody holds the key exclusively. */
    public <T> T sharing(LockKey key, Work work, Supplier<T> body) {
        return holding(key, new Hold(work, clock.instant(), false), body);
    }

    /**
     * Runs the body while nobody else changes who has a volume or where it is attached, and nobody changes the volume.
     * Copies of its content go on meanwhile: they may take hours, and a node that has died is shut out before.
     */
    public <T> T changingAttachment(String handle, Work work, Supplier<T> body) {
        return sharing(LockKey.volume(handle), work, () -> exclusively(LockKey.attachment(handle), work, body));
    }

    /** Runs a body without a result while nobody else changes which nodes have a volume or where it is attached. */
    public void changingAttachment(String handle, Work work, Runnable body) {
        changingAttachment(handle, work, answering(body));
    }

    /** Runs the body while nobody changes a volume or where it is attached; others may use it too. */
    public void usingAttachment(String handle, Work work, Runnable body) {
        sharing(LockKey.volume(handle), work, () -> sharing(LockKey.attachment(handle), work, answering(body)));
    }

    /** Runs the body while nobody holds any of the keys exclusively. */
    public <T> T sharingAll(List<LockKey> keys, Work work, Supplier<T> body) {
        return keys.isEmpty()
                ? body.get()
                : sharing(keys.getFirst(), work, () -> sharingAll(keys.subList(1, keys.size()), work, body));
    }

    /** Runs the body while nobody else holds any of the keys. */
    public void exclusivelyAll(List<LockKey> keys, Work work, Runnable body) {
        if (keys.isEmpty()) {
            body.run();
        } else {
            exclusively(keys.getFirst(), work, () -> exclusivelyAll(keys.subList(1, keys.size()), work, body));
        }
    }

    private static Supplier<Runnable> answering(Runnable body) {
        return () -> {
            body.run();
            return body;
        };
    }

    private <T> T holding(LockKey key, Hold hold, Supplier<T> body) {
        enter(key, hold);
        try {
            return body.get();
        } finally {
            leave(key, hold);
        }
    }

    private synchronized void enter(LockKey key, Hold hold) {
        List<Hold> holds = held.getOrDefault(key, List.of());
        if (!holds.isEmpty() && (hold.exclusive() || holds.getFirst().exclusive())) {
            throw pending(key, holds.getFirst());
        }
        held.computeIfAbsent(key, _ -> new ArrayList<>(1)).add(hold);
    }

    private synchronized void leave(LockKey key, Hold hold) {
        held.computeIfPresent(key, (_, holds) -> {
            holds.remove(hold);
            return holds.isEmpty() ? null : holds;
        });
    }

    private StorageException pending(LockKey key, Hold running) {
        return new StorageException(new Failure.OperationPending(
                key.toString(),
                running.work().what(),
                Duration.between(running.since(), clock.instant()),
                running.work().progressSoFar()));
    }

    /**
     * Identifies the object that a lock is held on. Handles have the form that callers send, so that controller and
     * node use the same key.
     */
    public record LockKey(String kind, String what) {
        public static LockKey volumeName(CsiName name) {
            return new LockKey("volume name", name.value());
        }

        public static LockKey snapshotName(CsiName name) {
            return new LockKey("snapshot name", name.value());
        }

        public static LockKey groupName(CsiName name) {
            return new LockKey("group snapshot name", name.value());
        }

        public static LockKey group(String handle) {
            return new LockKey("group snapshot", handle);
        }

        public static LockKey volume(String handle) {
            return new LockKey("volume", handle);
        }

        /** Returns the key under which the nodes that have a volume, and where it is attached, are changed. */
        public static LockKey attachment(String handle) {
            return new LockKey("attachment of volume", handle);
        }

        /** Returns the key of what is behind the attachments of several volumes. */
        public static LockKey device(String identity) {
            return new LockKey("device", identity);
        }

        public static LockKey snapshot(String handle) {
            return new LockKey("snapshot", handle);
        }

        public static LockKey path(Path path) {
            return new LockKey("path", path.normalize().toString());
        }

        @Override
        public String toString() {
            return kind + " " + what;
        }
    }

    private record Hold(Work work, Instant since, boolean exclusive) {}
}
