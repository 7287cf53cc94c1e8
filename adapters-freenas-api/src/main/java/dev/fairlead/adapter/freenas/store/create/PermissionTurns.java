package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits how many creations of a connection wait at once for the box to set permissions. It sets them by jobs that wait
 * for each other, up to the betas of 26 for those of all datasets, so one that somebody else began for a whole tree
 * keeps them waiting for hours; most of the connection's threads have to stay free for other calls, above all for those
 * that shut nodes out.
 */
public final class PermissionTurns {
    private static final int SHARE = 4;

    /** The time for which a creation waits for its turn: long enough if those before it go on. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ConnectionName connection;
    private final Semaphore free;

    public PermissionTurns(ConnectionScope scope) {
        this.connection = scope.name();
        this.free = new Semaphore(Math.max(1, scope.concurrency() / SHARE), true);
    }

    /**
     * Runs a creation once it has a turn.
     *
     * @throws StorageException {@code BackendUnavailable} if it gets none; nothing has begun in that case
     */
    <T> T taking(String target, Supplier<T> creation) {
        if (!isTaken()) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.value(),
                    "other creations wait for the box to set permissions, which may be busy with those of a large"
                            + " tree, and " + target + " waits for its turn; ask again"));
        }
        try {
            return creation.get();
        } finally {
            free.release();
        }
    }

    private boolean isTaken() {
        try {
            return free.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
