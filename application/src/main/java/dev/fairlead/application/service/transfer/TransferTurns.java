package dev.fairlead.application.service.transfer;

import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Limits how many transfers run at once on each connection, as source or target: each takes a thread of both
 * connections for as long as it lasts, and some must be left for all other calls.
 *
 * <p>A transfer gets its turn at both ends at once or not at all, and never waits for one. Transfers never hold all
 * threads of a connection that has more than one, and a connection with one thread has one transfer, so that transfers
 * cannot wait for each other's threads.
 */
public final class TransferTurns {
    private static final int MOST = 2;

    private final Map<ConnectionName, Integer> taken = new HashMap<>();

    /** Runs the body with a turn at each of these connections. */
    public <T> T taking(List<ConnectionUse> ends, Supplier<T> body) {
        enter(ends);
        try {
            return body.get();
        } finally {
            leave(ends);
        }
    }

    private synchronized void enter(List<ConnectionUse> ends) {
        for (ConnectionUse end : ends) {
            int most = Math.clamp(end.backend().settings().concurrency() / 2, 1, MOST);
            if (taken.getOrDefault(end.name(), 0) >= most) {
                throw new StorageException(new Failure.BackendUnavailable(
                        end.name().value(),
                        most + " transfers from or to it are under way; the call is repeated until it has a turn"));
            }
        }
        ends.forEach(end -> taken.merge(end.name(), 1, Integer::sum));
    }

    private synchronized void leave(List<ConnectionUse> ends) {
        ends.forEach(end -> taken.computeIfPresent(end.name(), (_, count) -> count == 1 ? null : count - 1));
    }
}
