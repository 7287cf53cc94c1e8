package dev.fairlead.adapter.freenas.export;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one call at a time change the targets of a box, in order of arrival: a box that is given several of them at once
 * writes its target's configuration anew for each, and has lost some of them.
 *
 * <p>What lets nodes in or shuts them out does not wait behind all that is made: it has turns of its own, and waits for
 * those who make something only for a bounded time. Then it goes on beside them, since a node that is not shut out may
 * write; what is made and whom it lets in is read back by both.
 *
 * <p>All connections to one box share the turns; another process is not kept out, so what was changed is read back.
 */
public final class HostTurns {
    /** The longest time that a change of whom an export lets in waits for those who make exports. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ConcurrentMap<String, ReentrantLock> makers = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ReentrantLock> fencers = new ConcurrentHashMap<>();
    private final Duration patience;

    public HostTurns() {
        this(PATIENCE);
    }

    /** @param patience the longest time that a change of whom an export lets in waits for those who make exports */
    HostTurns(Duration patience) {
        this.patience = patience;
    }

    /** Takes the turns of one connection to a box. */
    public record Turn(HostTurns turns, String host, String connection) {
        /** Runs what makes an export or takes it away, if it comes to its turn while the caller has time. */
        public <T> T in(Work work, Supplier<T> body) {
            return turns.in(turns.makers, this, work.left(), body);
        }

        /** Runs what changes whom an export lets in: it comes to its turn whatever is made at the same time. */
        public <T> T fencing(Work work, Supplier<T> body) {
            return turns.in(turns.fencers, this, work.left(), () -> turns.beside(host, connection, body));
        }
    }

    /** @param host names the box: the same for all connections to it */
    public Turn of(String host, String connection) {
        return new Turn(this, host, connection);
    }

    private <T> T in(ConcurrentMap<String, ReentrantLock> kind, Turn turn, Duration left, Supplier<T> body) {
        ReentrantLock lock = lock(kind, turn.host());
        if (!isTaken(lock, left, turn.connection())) {
            throw unavailable(
                    turn.connection(), "other volumes' targets were at work and took all the time of this one");
        }
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    /** Runs the body in a turn of the makers, or beside one of them that takes long. */
    private <T> T beside(String host, String connection, Supplier<T> body) {
        ReentrantLock lock = lock(makers, host);
        boolean taken = isTaken(lock, patience, connection);
        try {
            return body.get();
        } finally {
            if (taken) {
                lock.unlock();
            }
        }
    }

    private static ReentrantLock lock(ConcurrentMap<String, ReentrantLock> kind, String host) {
        return kind.computeIfAbsent(host, _ -> new ReentrantLock(true));
    }

    private static boolean isTaken(ReentrantLock lock, Duration patience, String connection) {
        try {
            return lock.tryLock(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(connection, "interrupted while others were at work on the box's targets");
        }
    }

    private static StorageException unavailable(String connection, String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection, detail));
    }
}
