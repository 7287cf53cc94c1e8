package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs kernel calls that may hang, on threads that can be left behind.
 *
 * <p>A thread that waits in the kernel for a dead server cannot be stopped, so nothing waits for it longer than its
 * deadline. What is left behind is bounded: one call for each path, a part of all calls for each server, and a number
 * of calls in all. What is of no server counts by its device or file system. So dead servers leave room for the others,
 * and a repeated request for a stuck path is refused at once instead of taking another thread.
 */
public final class KernelThreads {
    /** The longest time for one kernel call, the same as MOUNT_DEFAULT_TIMEOUT of democratic-csi. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The longest time for what takes long by right, longer than its callers wait. */
    public static final Duration LONGEST = Duration.ofHours(24);

    private static final Duration IDLE = Duration.ofSeconds(10);
    /** The shortest time for a call, so that what was begun is verified even if its caller's time is up. */
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final Duration patience;
    private final ThreadPoolExecutor pool;
    private final MountPlaces places;
    private final KernelCallGate gate;

    /**
     * @param threads makes daemon threads, since one that hangs in the kernel never ends
     * @param most how many calls may run or hang at once
     * @param patience how long one call may take
     * @param devices tells which target or subsystem a device's calls depend on
     */
    public KernelThreads(ThreadFactory threads, int most, Duration patience, Devices devices) {
        this(threads, most, patience, devices, MountTable::read);
    }

    /** @param table tells which server a path belongs to */
    KernelThreads(ThreadFactory threads, int most, Duration patience, Devices devices, MountPlaces.Table table) {
        this.places = new MountPlaces(table, devices);
        this.gate = new KernelCallGate(most, places);
        this.patience = patience;
        this.pool = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE.toMillis(), TimeUnit.MILLISECONDS, new SynchronousQueue<>(), threads);
    }

    /**
     * Runs one call and waits for it, no longer than the settings and the caller allow.
     *
     * @param what in words, for the failure's message
     * @param paths the paths that the call touches; the first one tells which server or file system may hang
     * @throws StorageException {@code NodeFault} if it does not come back in time, or cannot be begun since others have
     *     not come back
     * @throws IOException what the action throws
     */
    public <T> T run(String what, List<Path> paths, Work work, Action<T> action) throws IOException {
        return run(what, paths, patience, work, action);
    }

    /** Runs a call as the other method does, with a time limit of its own. */
    public <T> T run(String what, List<Path> paths, Duration patience, Work work, Action<T> action) throws IOException {
        return run(KernelCall.of(what, paths, Optional.empty()), patience, work, action);
    }

    /**
     * Runs a call as the other method does.
     *
     * @param target the target or subsystem on which the call depends
     */
    public <T> T run(String what, Path path, String target, Work work, Action<T> action) throws IOException {
        return run(KernelCall.of(what, List.of(path), Optional.of(target)), patience, work, action);
    }

    /** Notes at which host a target or a subsystem is, so that the calls for all that a host has count together. */
    public void note(String target, String host) {
        places.note(target, host);
    }

    /**
     * Runs a call that may rightly take longer than its caller waits, such as a program that checks a file system. Left
     * behind, it goes on until its own time limit, and whoever asks for its path meanwhile is told that it is at work.
     *
     * @throws StorageException as the other methods do, and {@code OperationPending} if the call goes on
     */
    public <T> T lasting(String what, Path path, Duration bound, Work work, Action<T> action) {
        return lasting(what, List.of(path), Optional.empty(), bound, work, action);
    }

    /**
     * Runs such a call that touches several paths; the first one is told to those who ask meanwhile.
     *
     * @param server the one on which the call depends; empty if the first path tells
     */
    public <T> T lasting(
            String what, List<Path> paths, Optional<String> server, Duration bound, Work work, Action<T> action) {
        try {
            return run(KernelCall.lasting(what, paths, server), bound, work, action);
        } catch (IOException e) {
            throw fault(what, e);
        }
    }

    /** Asks something about a path; left behind, the question keeps nobody from changing something there. */
    public <T> T ask(String what, Path path, Duration patience, Work work, Action<T> action) throws IOException {
        return run(KernelCall.question(what, path), patience, work, action);
    }

    /** Asks something as the other method does, within the usual time. */
    public <T> T ask(String what, Path path, Work work, Action<T> action) throws IOException {
        return ask(what, path, patience, work, action);
    }

    /** Returns whether a question about a path has been left behind and not come back. */
    public boolean isAskedInVain(Path path) {
        return gate.isAskedInVain(path);
    }

    /** Returns the call that others on a path wait for, in words; empty if none runs. */
    public Optional<String> running(Path path) {
        return gate.running(path);
    }

    private <T> T run(KernelCall call, Duration patience, Work work, Action<T> action) throws IOException {
        Duration left = work.left().compareTo(LEAST) < 0 ? LEAST : work.left();
        Duration limit = left.compareTo(patience) < 0 ? left : patience;
        try {
            long remaining = gate.admit(call, limit);
            FutureTask<T> task = new FutureTask<>(() -> {
                try {
                    return action.run(new WantedWork(work, () -> gate.isLeftBehind(call)));
                } finally {
                    gate.finished(call);
                }
            });
            begin(task, call);
            return task.get(remaining, TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            gate.abandon(call);
            throw call.isLasting()
                    ? new StorageException(call.pending())
                    : fault(
                            call.what(),
                            "the kernel has not answered within " + limit.toMillis() + " ms for " + call.subject()
                                    + "; its file system hangs. The call is left behind and may still take effect");
        } catch (InterruptedException _) {
            gate.abandon(call);
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        } catch (ExecutionException e) {
            throw rethrown(e);
        }
    }

    /**
     * Runs one call that touches one path, and makes a fault of the node of what the kernel refuses.
     *
     * @throws StorageException as the other methods do, and {@code NodeFault} in the place of an {@link IOException}
     */
    public <T> T call(String what, Path path, Work work, Action<T> action) {
        return call(what, path, patience, work, action);
    }

    /** Runs a call as the other method does, with a time limit of its own. */
    public <T> T call(String what, Path path, Duration patience, Work work, Action<T> action) {
        try {
            return run(what, List.of(path), patience, work, action);
        } catch (IOException e) {
            throw fault(what, e);
        }
    }

    /**
     * Runs a call as the other method does.
     *
     * @param target the target or subsystem on which the call depends
     */
    public <T> T call(String what, Path path, String target, Duration patience, Work work, Action<T> action) {
        try {
            return run(KernelCall.of(what, List.of(path), Optional.of(target)), patience, work, action);
        } catch (IOException e) {
            throw fault(what, e);
        }
    }

    private void begin(FutureTask<?> task, KernelCall call) {
        boolean begun = false;
        try {
            pool.execute(task);
            begun = true;
        } finally {
            if (!begun) {
                gate.finished(call);
            }
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

    public static StorageException fault(String what, String detail) {
        return new StorageException(new Failure.NodeFault(what, detail));
    }

    public static StorageException fault(String what, IOException e) {
        String detail = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new StorageException(new Failure.NodeFault(what, detail), e);
    }

    /** Returns how many calls have been left behind and not come back. */
    public int leftBehind() {
        return gate.leftBehind();
    }

    /**
     * Returns how many calls have been left behind and not come back, by the server at which they hang (empty if it is
     * none, {@code unknown} if only its target is known) and by what they are: a {@code question}, a {@code change}, or
     * {@code lasting}, which may go on by right. The three are there without a server also if nothing hangs.
     */
    public Map<String, Map<String, Integer>> hanging() {
        return gate.hanging();
    }

    /** Tells what is behind a device, by what never hangs. */
    @FunctionalInterface
    public interface Devices {
        /**
         * Returns the name of the target or subsystem; empty if the path is of none.
         *
         * @param mount the one that the path lies in
         */
        Optional<String> target(String path, Optional<MountEntry> mount);

        /**
         * Returns the device of this node that a path names, in words, or what it shares with other devices; empty if
         * the path names none, such as one in a file system.
         */
        default Optional<String> device(String path, Optional<MountEntry> mount) {
            return Optional.empty();
        }

        /** Returns at which host each target is with which this node has a session. */
        default Map<String, String> hosts() {
            return Map.of();
        }
    }

    /** Does something on a thread that may be left behind. */
    @FunctionalInterface
    public interface Action<T> {
        /** @param work the caller's, which refuses every effect as soon as nobody waits for this thread any more */
        T run(Work work) throws IOException;
    }
}
