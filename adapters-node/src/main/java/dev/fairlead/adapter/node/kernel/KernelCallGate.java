package dev.fairlead.adapter.node.kernel;

import dev.fairlead.adapter.node.kernel.MountPlaces.Holder;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which kernel calls may run, so that the number of hanging calls stays bounded: one call for each path, a
 * quarter of all calls for the questions to each server and another one for its changes, a quarter for those that take
 * long by right, half of which is for the mounts of one server, and a number of calls in all. What is no share of a
 * server counts by its file system. A question about a path is no obstacle for a call that changes something there, nor
 * for another question; so what hangs on a dead server can be unmounted however many questions hang there.
 */
final class KernelCallGate {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Call> running = new LinkedHashSet<>();
    private final Set<Call> waiting = new LinkedHashSet<>();
    private final MountPlaces places;

    KernelCallGate(int most, MountPlaces places) {
        this.most = most;
        this.places = places;
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
            if (stuck(lasting()) >= share() || stuck(mountsOfSameServer(call)) >= shareOfMounts()) {
                throw new StorageException(call.pending());
            }
        } else if (running.size() >= share()) {
            long stuck = stuck(alikeOnSamePlace(call));
            if (stuck >= share()) {
                throw KernelThreads.fault(
                        call.what,
                        stuck + " earlier calls still hang in the kernel on "
                                + placeOf(call).words());
            }
        }
    }

    private static long stuck(Stream<Call> calls) {
        return calls.filter(other -> other.abandoned).count();
    }

    private boolean fits(Call call) {
        return running.size() < most
                && running.stream().noneMatch(call::overlaps)
                && (call.isLasting()
                        ? lasting().count() < share()
                                && mountsOfSameServer(call).count() < shareOfMounts()
                        : running.size() < share() || alikeOnSamePlace(call).count() < share());
    }

    private Stream<Call> lasting() {
        return running.stream().filter(Call::isLasting);
    }

    private int share() {
        return Math.max(1, most / 4);
    }

    private int shareOfMounts() {
        return Math.max(1, share() / 2);
    }

    /** Returns the running mounts of the server whose share the call mounts; none if it mounts no share. */
    private Stream<Call> mountsOfSameServer(Call call) {
        return lasting().filter(other -> call.server.isPresent() && other.server.equals(call.server));
    }

    /**
     * Returns the running calls on the call's server or file system that may hang and are questions as it is, or are
     * none as it is. It is used only when many calls run at once.
     */
    private Stream<Call> alikeOnSamePlace(Call call) {
        Holder place = placeOf(call);
        return running.stream()
                .filter(other -> other.kind == call.kind && placeOf(other).equals(place));
    }

    private Holder placeOf(Call call) {
        if (call.place == null) {
            call.place = places.of(call.subject(), System.nanoTime() - MountPlaces.MOMENT);
        }
        return call.place;
    }

    /**
     * Notes where a call hangs while its mount is in the table: once that is taken off, the path is part of another
     * file system, to which the call must not be counted.
     */
    private void keepPlace(Call call) {
        if (running.contains(call)) {
            call.place = places.of(call.subject(), call.began);
        }
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
            keepPlace(call);
            waiting.forEach(Call::signal); // those on the same path or server are now refused
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

    /** Returns the call that others on a path wait for, in words; empty if none runs. */
    Optional<String> running(Path path) {
        lock.lock();
        try {
            return running.stream()
                    .filter(call -> call.kind != Kind.QUESTION && call.paths.contains(path.toString()))
                    .map(Call::what)
                    .findFirst();
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

    /** Returns how many calls have been left behind and not come back, by server and by what each of them is. */
    Map<String, Map<String, Integer>> hanging() {
        lock.lock();
        try {
            Map<String, Map<String, Integer>> counts = new TreeMap<>();
            Arrays.stream(Kind.values()).forEach(kind -> count(counts, "", kind, 0));
            running.stream()
                    .filter(call -> call.abandoned)
                    .forEach(call -> count(counts, serverOf(call), call.kind, 1));
            return counts;
        } finally {
            lock.unlock();
        }
    }

    private static void count(Map<String, Map<String, Integer>> counts, String server, Kind kind, int more) {
        counts.computeIfAbsent(server, _ -> new TreeMap<>()).merge(kind.word, more, Integer::sum);
    }

    private String serverOf(Call call) {
        return call.server.or(() -> placeOf(call).server()).orElse("");
    }

    private enum Kind {
        USUAL("change"),
        /** Takes long by right, so one that is left behind does not hang. */
        LASTING("lasting"),
        /** Changes nothing and keeps nobody from changing something. */
        QUESTION("question");

        private final String word;

        Kind(String word) {
            this.word = word;
        }
    }

    /** A kernel call that runs or waits to run; its fields are guarded by the lock. */
    static final class Call {
        private final String what;
        private final List<String> paths;
        private final Kind kind;
        private final long began = System.nanoTime();
        private final Optional<String> server;
        private boolean abandoned;
        private @Nullable Condition turn;
        private @Nullable Holder place;

        private Call(String what, List<Path> paths, Kind kind, Optional<String> server) {
            this.what = what;
            this.paths = paths.stream().map(Path::toString).toList();
            this.kind = kind;
            this.server = server;
        }

        static Call of(String what, List<Path> paths) {
            return new Call(what, paths, Kind.USUAL, Optional.empty());
        }

        /** @param server whose share is mounted */
        static Call lasting(String what, List<Path> paths, Optional<String> server) {
            return new Call(what, paths, Kind.LASTING, server);
        }

        static Call question(String what, Path path) {
            return new Call(what, List.of(path), Kind.QUESTION, Optional.empty());
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
}
