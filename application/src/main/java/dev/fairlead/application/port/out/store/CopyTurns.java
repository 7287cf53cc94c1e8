package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets few copies run at once on a connection: each takes one of its threads for hours, and most are for all other
 * calls. Nobody waits for a turn, which would take a thread as well.
 */
public final class CopyTurns {
    private static final int MOST = 4;

    private final ConnectionName connection;
    private final List<String> running = new ArrayList<>();

    public CopyTurns(ConnectionName connection) {
        this.connection = connection;
    }

    /**
     * Runs a copy if it has a turn.
     *
     * @param target what is made, in words
     * @throws StorageException {@code BackendUnavailable}, which names the copies that run; nothing has begun then
     */
    public <T, X extends Exception> T taking(String target, Copy<T, X> copy) throws X {
        enter(target);
        try {
            return copy.run();
        } finally {
            leave(target);
        }
    }

    private synchronized void enter(String target) {
        if (running.size() >= MOST) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.value(),
                    running.size() + " copies are under way on it (" + String.join(", ", running) + "), and " + target
                            + " waits for its turn; ask again"));
        }
        running.add(target);
    }

    private synchronized void leave(String target) {
        running.remove(target);
    }

    /** Makes a copy. */
    @FunctionalInterface
    public interface Copy<T, X extends Exception> {
        T run() throws X;
    }
}
