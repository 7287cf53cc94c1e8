package dev.fairlead.adapter.freenas.export;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one call at a time change the targets of a box, in order of arrival: a box that is given several of them at once
 * writes its target's configuration anew for each, and has lost some of them.
 *
 * <p>All connections to one box share a turn; another process is not kept out, so what was changed is read back.
 */
public final class HostTurns {
    private final ConcurrentMap<String, ReentrantLock> turns = new ConcurrentHashMap<>();

    /** Takes the turns of one connection to a box. */
    public record Turn(HostTurns turns, String host, String connection) {
        /** Runs the body once it is its turn, if that is as long as the caller has time. */
        public <T> T in(Work work, Supplier<T> body) {
            return turns.in(host, connection, work, body);
        }
    }

    /** @param host names the box: the same for all connections to it */
    public Turn of(String host, String connection) {
        return new Turn(this, host, connection);
    }

    /**
     * Waits for its turn as long as the caller has time, then runs the body.
     *
     * @param host names the box: the same for all connections to it
     * @param connection for failures
     */
    public <T> T in(String host, String connection, Work work, Supplier<T> body) {
        ReentrantLock turn = turns.computeIfAbsent(host, _ -> new ReentrantLock(true));
        try {
            if (!turn.tryLock(Math.max(0, work.left().toNanos()), TimeUnit.NANOSECONDS)) {
                throw unavailable(connection, "other volumes' targets were at work and took all the time of this one");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(connection, "interrupted while others were at work on the box's targets");
        }
        try {
            return body.get();
        } finally {
            turn.unlock();
        }
    }

    private static StorageException unavailable(String connection, String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection, detail));
    }
}
