package dev.fairlead.adapter.node.kernel;

import dev.fairlead.adapter.node.kernel.MountPlaces.Holder;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Decides which kernel calls may run, so that the number of hanging calls stays bounded: one call for each path, an
 * eighth of all calls for the questions to each server and another one for its changes, a quarter for those that take
 * long by right, of which a server has a quarter, and a number of calls in all. Once half of the places are taken, a
 * server has one of each kind, so that many dead servers do not take the places of those that answer. What is of no
 * server counts by its device or file system. A question about a path is no obstacle for a call that changes something
 * there, nor for another question; so what hangs on a dead server can be unmounted however many questions hang there.
 */
final class KernelCallGate {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<KernelCall> running = new LinkedHashSet<>();
    private final Set<KernelCall> waiting = new LinkedHashSet<>();
    private final MountPlaces places;

    KernelCallGate(int most, MountPlaces places) {
        this.most = most;
        this.places = places;
    }

    /** Waits for the call's turn and returns the nanoseconds that are left then, at least one. */
    long admit(KernelCall call, Duration limit) throws InterruptedException {
        long remaining = limit.toNanos();
        lock.lockInterruptibly();
        try {
            refuseIfStuck(call);
            if (fits(call)) {
                running.add(call);
                return Math.max(remaining, 1);
            }
            Condition turn = lock.newCondition();
            call.signalledBy(turn);
            waiting.add(call);
            try {
                while (!running.contains(call)) {
                    refuseIfStuck(call);
                    if (fits(call)) {
                        running.add(call);
                    } else if (remaining <= 0) {
                        throw noTurn(call, limit);
                    } else {
                        remaining = turn.awaitNanos(remaining);
                    }
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

    private StorageException noTurn(KernelCall call, Duration limit) {
        return call.isLasting()
                ? new StorageException(call.pending()) // a call that is repeated, and undone by nobody
                : KernelThreads.fault(
                        call.what(),
                        "no thread was free for " + limit.toMillis() + " ms, " + running.size()
                                + " kernel calls run (at most " + most + ")");
    }

    private void refuseIfStuck(KernelCall call) {
        for (KernelCall other : running) {
            if (other.isAbandoned() && call.overlaps(other)) {
                if (other.isLasting()) {
                    throw new StorageException(other.pending());
                }
                throw KernelThreads.fault(
                        call.what(),
                        "an earlier call (" + other.what() + ") still hangs in the kernel on " + call.subject());
            }
        }
        if (call.isLasting()) {
            if (stuck(lasting()) >= mostLasting() || (isTight(call) && stuck(alikeOnSamePlace(call)) >= share(call))) {
                throw new StorageException(call.pending());
            }
        } else if (isTight(call)) {
            long stuck = stuck(alikeOnSamePlace(call));
            if (stuck >= share(call)) {
                throw KernelThreads.fault(
                        call.what(),
                        stuck + " earlier calls still hang in the kernel on "
                                + placeOf(call).words());
            }
        }
    }

    private static long stuck(Stream<KernelCall> calls) {
        return calls.filter(other -> other.isAbandoned()).count();
    }

    private boolean fits(KernelCall call) {
        return running.size() < most
                && running.stream().noneMatch(call::overlaps)
                && (!call.isLasting() || lasting().count() < mostLasting())
                && (!isTight(call) || alikeOnSamePlace(call).count() < share(call));
    }

    private Stream<KernelCall> lasting() {
        return running.stream().filter(KernelCall::isLasting);
    }

    private int mostLasting() {
        return Math.max(1, most / 4);
    }

    /** Returns how many calls of the call's kind its server may have now. */
    private int share(KernelCall call) {
        int places = call.isLasting() ? mostLasting() : most;
        long taken = call.isLasting() ? lasting().count() : running.size();
        return taken * 2 >= places ? 1 : Math.max(1, places / (call.isLasting() ? 4 : 8));
    }

    /** Returns whether so many calls run that it matters whose they are. */
    private boolean isTight(KernelCall call) {
        return (call.isLasting() ? lasting().count() : running.size()) >= share(call);
    }

    /** Returns the running calls of the call's kind on its server, device or file system. */
    private Stream<KernelCall> alikeOnSamePlace(KernelCall call) {
        Holder place = placeOf(call);
        return running.stream()
                .filter(other -> other.isLike(call) && placeOf(other).equals(place));
    }

    private Holder placeOf(KernelCall call) {
        return call.place(() -> places.of(call, System.nanoTime() - MountPlaces.MOMENT));
    }

    /**
     * Notes where a call hangs while its mount is in the table: once that is taken off, the path is part of another
     * file system, to which the call must not be counted.
     */
    private void keepPlace(KernelCall call) {
        if (running.contains(call)) {
            call.foundIn(places.of(call, call.began()));
        }
    }

    /** Ends a call and admits waiting ones. */
    void finished(KernelCall call) {
        lock.lock();
        try {
            running.remove(call);
            admitWaiting();
        } finally {
            lock.unlock();
        }
    }

    /** Admits waiting calls, the first first; one that still does not fit does not hold up the others. */
    private void admitWaiting() {
        boolean done = false;
        try {
            for (Iterator<KernelCall> next = waiting.iterator(); next.hasNext() && running.size() < most; ) {
                KernelCall waiter = next.next();
                if (fits(waiter)) {
                    next.remove();
                    running.add(waiter);
                    waiter.signal();
                }
            }
            done = true;
        } finally {
            if (!done) {
                waiting.forEach(KernelCall::signal); // whatever was thrown, each sees for itself
            }
        }
    }

    void abandon(KernelCall call) {
        lock.lock();
        try {
            call.abandon();
            waiting.forEach(KernelCall::signal); // those on the same path or server are refused, once this lock is free
            keepPlace(call);
        } finally {
            lock.unlock();
        }
    }

    boolean isLeftBehind(KernelCall call) {
        lock.lock();
        try {
            return call.isAbandoned();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a question about a path has been left behind and not come back. */
    boolean isAskedInVain(Path path) {
        lock.lock();
        try {
            return running.stream().anyMatch(call -> call.isAbandoned() && call.isQuestion() && call.touches(path));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the call that others on a path wait for, in words; empty if none runs. */
    Optional<String> running(Path path) {
        lock.lock();
        try {
            return running.stream()
                    .filter(call -> !call.isQuestion() && call.touches(path))
                    .map(KernelCall::what)
                    .findFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many calls have been left behind and not come back. */
    int leftBehind() {
        lock.lock();
        try {
            return (int) running.stream().filter(call -> call.isAbandoned()).count();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many calls have been left behind and not come back, by server and by what each of them is. */
    Map<String, Map<String, Integer>> hanging() {
        lock.lock();
        try {
            Map<String, Map<String, Integer>> counts = new TreeMap<>();
            KernelCall.kinds().forEach(kind -> count(counts, "", kind, 0));
            running.stream()
                    .filter(call -> call.isAbandoned())
                    .forEach(call -> count(counts, placeOf(call).server().orElse(""), call.kindInWords(), 1));
            return counts;
        } finally {
            lock.unlock();
        }
    }

    private static void count(Map<String, Map<String, Integer>> counts, String server, String kind, int more) {
        counts.computeIfAbsent(server, _ -> new TreeMap<>()).merge(kind, more, Integer::sum);
    }
}
