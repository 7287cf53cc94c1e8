package dev.fairlead.adapter.k8s;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;

/** Time that passes only when every actor waits, and lets exactly one of them run at a moment. */
public final class VirtualTime {
    private final PriorityQueue<Waiter> waiters =
            new PriorityQueue<>(Comparator.comparing(Waiter::at).thenComparingLong(Waiter::order));
    private final Semaphore idle = new Semaphore(0);
    private final List<Thread> threads = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private long order;
    private boolean over;

    private record Waiter(Instant at, long order, Semaphore turn) {}

    /** Ends an actor when the time is over. */
    static final class Over extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public synchronized Instant now() {
        return now;
    }

    /** Adds somebody who acts from then on. */
    public void actor(Duration after, Runnable acting) {
        Waiter waiter = enqueue(after);
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                waiter.turn().acquireUninterruptibly();
                if (!isOver()) {
                    acting.run();
                }
            } catch (Over _) {
                // As it was meant to.
            } finally {
                idle.release();
            }
        }));
    }

    public void sleep(Duration time) {
        Waiter waiter = enqueue(time);
        idle.release();
        waiter.turn().acquireUninterruptibly();
        if (isOver()) {
            throw new Over();
        }
    }

    private synchronized Waiter enqueue(Duration time) {
        var waiter = new Waiter(now.plus(time), order++, new Semaphore(0));
        waiters.add(waiter);
        return waiter;
    }

    private synchronized boolean isOver() {
        return over;
    }

    /** Runs for so long, and looks after each event. */
    public void run(Duration length, Runnable look) throws InterruptedException {
        Instant end = now().plus(length);
        for (Waiter next = next(end); next != null; next = next(end)) {
            next.turn().release();
            idle.acquire();
            look.run();
        }
        for (Thread thread : List.copyOf(threads)) {
            thread.join();
        }
    }

    private synchronized @org.jspecify.annotations.Nullable Waiter next(Instant end) {
        Waiter next = waiters.poll();
        if (next == null) {
            return null;
        }
        over |= next.at().isAfter(end);
        now = over ? end : next.at();
        return next;
    }
}
