package dev.fairlead.adapter.local.pool.health;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.SharedAnswer;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.FileContent;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a call into a pool once its disk has answered, and no more calls at once than leave threads of the connection
 * for other pools: nothing is begun on a disk that is silent, and what was at work on it as it fell silent, and may
 * hang in the kernel for ever, holds up its own pool alone.
 */
public final class PoolTurns {
    /** The time after which a call that waits for its turn looks again whether the disk answers. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /**
     * The time that a call waits for its turn where there are other pools: it waits on a thread of the connection, of
     * which they need some too.
     */
    private static final Duration WAIT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PoolTurns.class);

    private final DirectoryFailures failures;
    private final DiskQuestion question;
    private final int most;
    private final boolean alone;
    private final Map<Path, Semaphore> turns = new ConcurrentHashMap<>();
    private final Map<Path, SharedAnswer<Boolean>> asked = new ConcurrentHashMap<>();

    /** @param most how many calls may be at work in one pool at once */
    private PoolTurns(DirectoryFailures failures, DiskQuestion question, int most, boolean alone) {
        this.failures = failures;
        this.question = question;
        this.most = most;
        this.alone = alone;
    }

    /**
     * Gives turns in the pools of a connection. If there are several, each may have three quarters of its threads.
     *
     * @param concurrency how many threads the connection has
     */
    public static PoolTurns of(DirectoryFailures failures, DiskQuestion question, int concurrency, int pools) {
        int others = pools > 1 ? Math.ceilDiv(concurrency, 4) : 0;
        return new PoolTurns(failures, question, Math.max(1, concurrency - others), pools <= 1);
    }

    /**
     * Runs what a call does in a pool.
     *
     * @throws StorageException {@code BackendUnavailable} if the pool does not answer or gives no turn in the caller's
     *     time; nothing was begun then
     */
    public <T> T in(String pool, Path path, Work work, Supplier<T> action) {
        return in(pool, path, work.left(), action);
    }

    /** Runs something short, which needs no turn, in a pool that answers. */
    public <T> T in(String pool, Path path, Supplier<T> action) {
        reach(pool, path, question.most());
        return action.get();
    }

    private <T> T in(String pool, Path path, Duration left, Supplier<T> action) {
        Semaphore its = turns.computeIfAbsent(path, _ -> new Semaphore(most));
        enter(pool, path, left, its);
        try {
            return action.get();
        } finally {
            its.release();
        }
    }

    private void enter(String pool, Path path, Duration left, Semaphore its) {
        // What finishes when its caller has gone has no time left, and waits like one that does not tell its time.
        Duration all = left.isPositive() ? left : question.most();
        Duration wait = alone ? all : shorter(all, WAIT);
        long begin = System.nanoTime();
        reach(pool, path, all);
        boolean has = turn(its, shorter(wait, LOOK));
        while (!has) {
            Duration rest = wait.minusNanos(System.nanoTime() - begin);
            if (rest.compareTo(LOOK) >= 0) {
                reach(pool, path, rest);
            }
            has = turn(its, shorter(rest, LOOK));
            if (!has && System.nanoTime() - begin >= wait.toNanos()) {
                throw failures.unavailable("pool '" + pool + "' at " + path + ": all " + most
                        + " calls that may be at work there at once are, and none ended in the time of this one; if"
                        + " that goes on, its disk has ceased to answer some of them: " + remedy(path));
            }
        }
    }

    private static boolean turn(Semaphore its, Duration rest) {
        try {
            return its.tryAcquire(Math.max(0, rest.toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Throws if the disk of a pool does not answer; one that is asked already is not asked a second time. */
    private void reach(String pool, Path path, Duration left) {
        try {
            if (question.vain().contains(path)) {
                throw new IOException(path + " still gives no answer");
            }
            SharedAnswer<Boolean> mine = new SharedAnswer<>(question, path);
            SharedAnswer<Boolean> others = asked.putIfAbsent(path, mine);
            if (others == null) {
                mine.afterwards(() -> asked.remove(path, mine));
                mine.ask(shorter(left, question.most()), () -> read(path));
            }
            var _ = (others == null ? mine : others).within(left);
        } catch (IOException e) {
            String detail = "pool '" + pool + "': " + e.getMessage() + "; " + remedy(path);
            throw new StorageException(
                    new Failure.BackendUnavailable(failures.connection().value(), detail), e);
        }
    }

    private static String remedy(Path path) {
        return "see with findmnt -T " + path + " what is mounted there, and with dmesg whether its disk or server is"
                + " well; other pools go on, and so does this one by itself once it answers";
    }

    /** Reads the mark of a pool from its disk: the kernel may remember what it has read of one that is silent. */
    private static boolean read(Path path) {
        Path mark = new BaseFolderLayout(path).owner();
        try {
            return FileContent.readFromDisk(mark) > 0;
        } catch (LinuxException e) {
            // An error is an answer too, if only that there is no mark or that it is not read in this way.
            LOG.atTrace().setCause(e).addKeyValue("mark", mark).log("the disk answers with an error");
            return false;
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Returns what a pool answers to a short question, for which no turn is needed. */
    public <T> T glance(String pool, Path path, DirectoryFailures.Action<T> what) {
        return failures.during("looking into pool '" + pool + "'", () -> question.ask(path, what::run));
    }
}
