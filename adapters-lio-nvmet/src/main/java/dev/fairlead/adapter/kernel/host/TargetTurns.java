package dev.fairlead.adapter.kernel.host;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the calls of this process change the targets of a storage host one at a time, in order of arrival. A call that
 * waits here occupies none of the host's SSH sessions, which other calls need. {@link HostLock} does the same across
 * processes.
 */
public final class TargetTurns {
    private final ConnectionName connection;
    private final String targets;
    private final ReentrantLock turn = new ReentrantLock(true);

    /** @param targets the targets' name in an error message */
    public TargetTurns(ConnectionName connection, String targets) {
        this.connection = connection;
        this.targets = targets;
    }

    /** Waits for its turn as long as the caller has time, then runs the body. */
    public void run(Work work, Runnable body) {
        try {
            long most = Math.max(0, work.left().toNanos());
            if (!turn.tryLock(most, TimeUnit.NANOSECONDS)) {
                throw unavailable("other volumes' targets are at work and took all the time that this one had");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("interrupted while others were at work on the " + targets);
        }
        try {
            body.run();
        } finally {
            turn.unlock();
        }
    }

    private StorageException unavailable(String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection.value(), detail));
    }
}
