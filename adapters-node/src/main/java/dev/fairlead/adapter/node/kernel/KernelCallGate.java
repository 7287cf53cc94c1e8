package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which kernel calls may run, so that the number of hanging calls stays bounded: one call for each path, a
 * quarter of all calls for each file system, a quarter for those that take long by right, and a number of calls in all.
 * A question about a path is no obstacle for a call that changes something there, nor for another question.
 */
final class KernelCallGate {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Call> running = new LinkedHashSet<>();
    private final Set<Call> waiting = new LinkedHashSet<>();
    private final Places places = new Places();

    KernelCallGate(int most) {
        this.most = most;
    }

    /** Waits for the call's turn and returns the nanoseconds that are left then, at least one. */
    long admit(Call call, Duration limit) throws InterruptedException {
        long remaining = limit.toNanos();
        lock.lockInterruptibly();
        try {
            refuseIfStuck(call);
            if (fits(call)) {
                running.add(call);
                return Math.max(remaining, 1);
            }
            call.turn = lock.newCondition();
            waiting.add(call);
            try {
                while (!running.contains(call)) {
                    refuseIfStuck(call);
                    if (remaining <= 0) {
                        throw noTurn(call, limit);
                    }
                    remaining = call.turn.awaitNanos(remaining);
                }
            } finally {
                waiting.remove(call);
            }
            return Math.max(remaining, 1);
        } catch (InterruptedException e) {
            finished(call); // it may have been admitted at the same moment
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private StorageException noTurn(Call call, Duration limit) {
        return call.isLasting()
                ? new StorageException(call.pending()) // a call that is repeated, and undone by nobody
                : KernelThreads.fault(
                        call.what,
                        "no thread was free for " + limit.toMillis() + " ms, " + running.size()
                                + " kernel calls run (at most " + most + ")");
    }

    private void refuseIfStuck(Call call) {
        for (Call other : running) {
            if (other.abandoned && call.overlaps(other)) {
                if (other.isLasting()) {
                    throw new StorageException(other.pending());
                }
                throw KernelThreads.fault(
                        call.what,
                        "an earlier call (" + other.what + ") still hangs in the kernel on " + call.subject());
            }
        }
        if (call.isLasting()) {
            if (lasting().filter(other -> other.abandoned).count() >= share()) {
                throw new StorageException(call.pending());
            }
        } else if (running.size() >= share()) {
            long stuck = onSameFilesystem(call).filter(other -> other.abandoned).count();
            if (stuck >= share()) {
                throw KernelThreads.fault(
                        call.what,
                        stuck + " earlier calls still hang in the kernel on the file system of " + call.subject());
            }
        }
    }

    private boolean fits(Call call) {
        return running.size() < most
                && running.stream().noneMatch(call::overlaps)
                && (call.isLasting()
                        ? lasting().count() < share()
                        : running.size() < share() || onSameFilesystem(call).count() < share());
    }

    private Stream<Call> lasting() {
        return running.stream().filter(Call::isLasting);
    }

    private int share() {
        return Math.max(1, most / 4);
    }

    /**
     * Returns the running calls on the call's file system, which may hang; not those that take long by right. It is
     * used only when many calls run at once.
     */
    private Stream<Call> onSameFilesystem(Call call) {
        String device = places.deviceOf(call);
        return running.stream()
                .filter(other -> !other.isLasting() && places.deviceOf(other).equals(device));
    }

    /**
     * Ends a call and admits waiting ones, the first first; one that still does not fit does not hold up the others.
     */
    void finished(Call call) {
        lock.lock();
        try {
            running.remove(call);
            for (Iterator<Call> next = waiting.iterator(); next.hasNext() && running.size() < most; ) {
                Call waiter = next.next();
                if (fits(waiter)) {
                    next.remove();
                    running.add(waiter);
                    waiter.signal();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    void abandon(Call call) {
        lock.lock();
        try {
            call.abandoned = true;
            waiting.forEach(Call::signal); // those on the same path or file system are now refused
        } finally {
            lock.unlock();
        }
    }

    boolean isLeftBehind(Call call) {
        lock.lock();
        try {
            return call.abandoned;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a question about a path has been left behind and not come back. */
    boolean isAskedInVain(Path path) {
        lock.lock();
        try {
            return running.stream()
                    .anyMatch(call ->
                            call.abandoned && call.kind == Kind.QUESTION && call.paths.contains(path.toString()));
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many calls have been left behind and not come back. */
    int leftBehind() {
        lock.lock();
        try {
            return (int) running.stream().filter(call -> call.abandoned).count();
        } finally {
            lock.unlock();
        }
    }

    private enum Kind {
        USUAL,
        /** Takes long by right, so one that is left behind does not hang. */
        LASTING,
        /** Changes nothing and keeps nobody from changing something. */
        QUESTION
    }

    /** A kernel call that runs or waits to run; its fields are guarded by the lock. */
    static final class Call {
        private final String what;
        private final List<String> paths;
        private final Kind kind;
        private final long began = System.nanoTime();
        private boolean abandoned;
        private @Nullable Condition turn;
        private @Nullable String device;

        private Call(String what, List<String> paths, Kind kind) {
            this.what = what;
            this.paths = paths;
            this.kind = kind;
        }

        static Call of(String what, List<Path> paths) {
            return new Call(what, paths.stream().map(Path::toString).toList(), Kind.USUAL);
        }

        static Call lasting(String what, List<Path> paths) {
            return new Call(what, paths.stream().map(Path::toString).toList(), Kind.LASTING);
        }

        static Call question(String what, Path path) {
            return new Call(what, List.of(path.toString()), Kind.QUESTION);
        }

        boolean isLasting() {
            return kind == Kind.LASTING;
        }

        String what() {
            return what;
        }

        /** Returns what is told while the call goes on. */
        Failure pending() {
            return new Failure.OperationPending(subject(), what, Duration.ofNanos(System.nanoTime() - began), "");
        }

        String subject() {
            return paths.getFirst();
        }

        boolean overlaps(Call other) {
            boolean alike = kind == Kind.QUESTION ? what.equals(other.what) : other.kind != Kind.QUESTION;
            return alike && paths.stream().anyMatch(other.paths::contains);
        }

        void signal() {
            if (turn != null) {
                turn.signal();
            }
        }
    }

    /**
     * Finds the file system of a path by its name only, since a call on the path could hang. The mount table is read at
     * most once a second; a newer mount counts as part of the one on which it stands.
     */
    private static final class Places {
        private static final long MOMENT = Duration.ofSeconds(1).toNanos();

        private List<MountEntry> table = List.of();
        private long readAt = System.nanoTime() - MOMENT;

        String deviceOf(Call call) {
            if (call.device == null) {
                call.device = MountTable.holding(table(), call.subject())
                        .map(MountEntry::device)
                        .orElse("unknown");
            }
            return call.device;
        }

        private List<MountEntry> table() {
            long now = System.nanoTime();
            if (now - readAt >= MOMENT) {
                readAt = now;
                try {
                    table = MountTable.read();
                } catch (IOException _) {
                    table = List.of(); // without the table all calls count as on one file system
                }
            }
            return table;
        }
    }
}
