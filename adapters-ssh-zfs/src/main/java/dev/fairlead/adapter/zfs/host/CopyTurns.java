package dev.fairlead.adapter.zfs.host;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Few copies at once on a connection: each takes one of its threads for hours, and most are for all other calls. Nobody
 * waits for a turn, which would take a thread as well.
 */
final class CopyTurns {
    private static final int MOST = 4;

    private final ConnectionName connection;
    private final Semaphore free = new Semaphore(MOST);

    CopyTurns(ConnectionName connection) {
        this.connection = connection;
    }

    <T> T taking(String target, Supplier<T> copy) {
        if (!free.tryAcquire()) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.value(),
                    MOST + " copies are under way on it, and " + target + " waits for its turn; ask again"));
        }
        try {
            return copy.get();
        } finally {
            free.release();
        }
    }
}
