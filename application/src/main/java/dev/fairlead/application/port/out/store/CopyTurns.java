package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Limits how many copies run at once on a connection: each takes one of its threads for hours, and most threads have to
 * stay free for other calls. A copy without a turn is refused and does not wait, since waiting would take a thread as
 * well.
 */
public final class CopyTurns {
    private static final int MOST = 4;

    /** The limit for copies of one volume, which could otherwise take all turns if its copies never end. */
    private static final int MOST_OF_ONE = 2;

    private final ConnectionName connection;
    private final int most;
    private final List<Turn> running = new ArrayList<>();

    /** Limits the copies of a connection to fewer than half of its threads, since transfers may take the other half. */
    public CopyTurns(ConnectionScope scope) {
        this.connection = scope.name();
        this.most = Math.clamp(scope.concurrency() / 2 - 1, 1, MOST);
    }

    /**
     * Runs a copy if it has a turn.
     *
     * @param source the volume that is copied, itself or by a snapshot of it
     * @param target what is made, in words
     * @throws StorageException {@code BackendUnavailable}, which names the copies that run; nothing has begun in that
     *     case
     */
    public <T, X extends Exception> T taking(String source, String target, Copy<T, X> copy) throws X {
        Turn turn = new Turn(source, target);
        enter(turn);
        try {
            return copy.run();
        } finally {
            leave(turn);
        }
    }

    /**
     * Throws if so many copies go on that another one is too many. For a storage that goes on with a copy when its
     * caller has gone, whose turn has ended then.
     *
     * @param source the volume that is to be copied, itself or by a snapshot of it
     * @param target what is to be made, in words
     * @param others what else is being made, by the storage's own list, each with the volume that it is copied from
     * @throws StorageException {@code BackendUnavailable}, which names the others
     */
    public void requireFree(String source, String target, Map<String, String> others) {
        List<Turn> all = others.entrySet().stream()
                .map(other -> new Turn(other.getValue(), other.getKey()))
                .toList();
        requireFree(new Turn(source, target), all);
    }

    private synchronized void enter(Turn turn) {
        requireFree(turn, running);
        running.add(turn);
    }

    private void requireFree(Turn turn, List<Turn> others) {
        if (others.size() >= most) {
            throw refused(targets(others), "it", turn.target());
        }
        List<Turn> ofOne = others.stream()
                .filter(other -> other.source().equals(turn.source()))
                .toList();
        if (ofOne.size() >= MOST_OF_ONE) {
            throw refused(targets(ofOne), "it of '" + turn.source() + "'", turn.target());
        }
    }

    private static List<String> targets(List<Turn> turns) {
        return turns.stream().map(Turn::target).toList();
    }

    private StorageException refused(List<String> others, String where, String target) {
        return new StorageException(new Failure.BackendUnavailable(
                connection.value(),
                others.size() + " copies are under way on " + where + " (" + String.join(", ", others) + "), and "
                        + target + " waits for its turn; ask again"));
    }

    private synchronized void leave(Turn turn) {
        running.remove(turn);
    }

    private record Turn(String source, String target) {}

    /** Makes a copy. */
    @FunctionalInterface
    public interface Copy<T, X extends Exception> {
        T run() throws X;
    }
}
