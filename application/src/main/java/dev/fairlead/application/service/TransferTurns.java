package dev.fairlead.application.service;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Few transfers at once for each connection, whichever end it is: each takes a thread of both connections for as long
 * as it lasts, and some must be left for all other calls.
 *
 * <p>A turn at both ends is had at once or not at all, and nobody waits for one. Since transfers never hold all threads
 * of a connection where it has more than one, and where it has one there is one transfer, none of them can wait for a
 * thread that waits for its own.
 */
final class TransferTurns {
    private static final int MOST = 2;

    private final Map<ConnectionName, Integer> taken = new HashMap<>();

    /** Runs the body with a turn at each of these connections. */
    <T> T taking(List<Lease> ends, Supplier<T> body) {
        enter(ends);
        try {
            return body.get();
        } finally {
            leave(ends);
        }
    }

    private synchronized void enter(List<Lease> ends) {
        for (Lease end : ends) {
            int most = Math.clamp(end.backend().settings().concurrency() / 2, 1, MOST);
            if (taken.getOrDefault(end.name(), 0) >= most) {
                throw new StorageException(new Failure.BackendUnavailable(
                        end.name().value(),
                        most + " transfers from or to it are under way; the call is repeated until it has a turn"));
            }
        }
        ends.forEach(end -> taken.merge(end.name(), 1, Integer::sum));
    }

    private synchronized void leave(List<Lease> ends) {
        ends.forEach(end -> taken.computeIfPresent(end.name(), (_, count) -> count == 1 ? null : count - 1));
    }
}
