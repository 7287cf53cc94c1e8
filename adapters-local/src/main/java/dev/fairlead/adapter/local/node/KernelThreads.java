package dev.fairlead.adapter.local.node;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs kernel calls that may hang, on threads that can be left behind.
 *
 * <p>A thread that waits in the kernel for a dead server cannot be stopped, so nothing waits for it longer than its
 * deadline. What is left behind is bounded three ways: one call for each path, a quarter of all calls for each file
 * system, and a number of calls in all. So one dead file system leaves room for the others, and a repeated request for
 * a stuck path is refused at once instead of taking another thread.
 */
final class KernelThreads {
    private static final Duration IDLE = Duration.ofSeconds(10);
    /** What has begun is verified even when its caller has gone. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final int most;
    private final Duration patience;
    private final ThreadPoolExecutor pool;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Call> running = new LinkedHashSet<>();

    KernelThreads(NodeSettings settings) {
        this.most = settings.kernelCalls();
        this.patience = settings.patience();
        this.pool = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE.toMillis(),
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                settings.threads());
    }

    /**
     * Runs one call and waits for it, no longer than the settings and the caller allow.
     *
     * @param what in words, for the failure's message
     * @param paths that it touches; by the first one it is known which file system may hang
     * @throws StorageException {@code NodeFault} when it does not come back in time, or cannot be begun since others
     *     have not come back
     * @throws IOException what the action throws
     */
    <T> T run(String what, List<Path> paths, Work work, Callable<T> action) throws IOException {
        return run(what, paths, patience, work, action);
    }

    /** The same, with a patience of its own. */
    <T> T run(String what, List<Path> paths, Duration patience, Work work, Callable<T> action) throws IOException {
        Duration left = work.left().compareTo(LEAST) < 0 ? LEAST : work.left();
        Duration limit = left.compareTo(patience) < 0 ? left : patience;
        Call call = new Call(what, paths.stream().map(Path::toString).toList());
        try {
            long remaining = admit(call, limit);
            FutureTask<T> task = new FutureTask<>(() -> {
                try {
                    return action.call();
                } finally {
                    finished(call);
                }
            });
            pool.execute(task);
            return task.get(remaining, TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            abandon(call);
            throw fault(
                    what,
                    "the kernel has not answered within " + limit.toMillis() + " ms for " + call.subject()
                            + "; its file system hangs. The call is left behind and may still take effect");
        } catch (InterruptedException _) {
            abandon(call);
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        } catch (ExecutionException e) {
            throw rethrown(e);
        }
    }

    private static IOException rethrown(ExecutionException e) {
        return switch (e.getCause()) {
            case IOException failed -> failed;
            case RuntimeException failed -> throw failed;
            case Error failed -> throw failed;
            case null, default -> throw new IllegalStateException("a kernel call failed in an unknown way", e);
        };
    }

    /** Waits until the call may run. */
    private long admit(Call call, Duration limit) throws InterruptedException {
        long remaining = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (true) {
                refuseIfStuck(call);
                if (fits(call)) {
                    running.add(call);
                    return Math.max(remaining, 1);
                }
                if (remaining <= 0) {
                    throw fault(
                            call.what,
                            "no thread was free for " + limit.toMillis() + " ms, " + running.size()
                                    + " kernel calls run (at most " + most + ")");
                }
                remaining = changed.awaitNanos(remaining);
            }
        } finally {
            lock.unlock();
        }
    }

    private void refuseIfStuck(Call call) {
        for (Call other : running) {
            if (other.abandoned && call.overlaps(other)) {
                throw fault(
                        call.what,
                        "an earlier call (" + other.what + ") still hangs in the kernel on " + call.subject());
            }
        }
        if (running.size() >= share()) {
            long stuck = onSameFilesystem(call).stream()
                    .filter(other -> other.abandoned)
                    .count();
            if (stuck >= share()) {
                throw fault(
                        call.what,
                        stuck + " earlier calls still hang in the kernel on the file system of " + call.subject());
            }
        }
    }

    private boolean fits(Call call) {
        return running.size() < most
                && running.stream().noneMatch(call::overlaps)
                && (running.size() < share() || onSameFilesystem(call).size() < share());
    }

    private int share() {
        return Math.max(1, most / 4);
    }

    /** Looked at only when many calls run at once, since it takes the mount table. */
    private List<Call> onSameFilesystem(Call call) {
        List<MountEntry> table = call.device == null ? readTable() : List.of();
        call.locate(table);
        return running.stream()
                .filter(other -> {
                    other.locate(table);
                    return other.device != null && other.device.equals(call.device);
                })
                .toList();
    }

    private static List<MountEntry> readTable() {
        try {
            return MountTable.read();
        } catch (IOException _) {
            return List.of(); // without it only the limit of all calls counts
        }
    }

    private void finished(Call call) {
        lock.lock();
        try {
            running.remove(call);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void abandon(Call call) {
        lock.lock();
        try {
            call.abandoned = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many calls have been left behind and not come back. */
    int leftBehind() {
        lock.lock();
        try {
            return (int) running.stream().filter(call -> call.abandoned).count();
        } finally {
            lock.unlock();
        }
    }

    static StorageException fault(String what, String detail) {
        return new StorageException(new Failure.NodeFault(what, detail));
    }

    /** A call that runs or wants to; guarded by the lock. */
    private static final class Call {
        private final String what;
        private final List<String> paths;
        private boolean abandoned;
        private @Nullable String device;

        Call(String what, List<String> paths) {
            this.what = what;
            this.paths = paths;
        }

        String subject() {
            return paths.getFirst();
        }

        boolean overlaps(Call other) {
            return paths.stream().anyMatch(other.paths::contains);
        }

        void locate(List<MountEntry> table) {
            if (device == null) {
                Optional<MountEntry> holding = MountTable.holding(table, subject());
                device = holding.map(MountEntry::device).orElse(null);
            }
        }
    }
}
