package dev.fairlead.adapter.kernel.host;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one call at a time of this process at the targets of a storage host, in the order in which they come: who waits
 * here takes none of the host's sessions, which whoever looks at volumes needs too. Beyond this process there is the
 * {@link HostLock}.
 */
public final class InTurn {
    private final ConnectionName connection;
    private final String targets;
    private final ReentrantLock turn = new ReentrantLock(true);

    /** @param targets what they are called in a failure */
    public InTurn(ConnectionName connection, String targets) {
        this.connection = connection;
        this.targets = targets;
    }

    /** Waits for its turn no longer than the caller does. */
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
