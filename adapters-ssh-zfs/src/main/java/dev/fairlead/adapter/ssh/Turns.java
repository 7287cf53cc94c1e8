package dev.fairlead.adapter.ssh;

import dev.fairlead.application.port.work.Work;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** How many programs may run on a session at once. Who comes when all turns are taken waits, in order. */
final class Turns extends Semaphore {
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final int usual;
    private int most;
    private int lasting;

    Turns(int most) {
        super(most, true);
        this.usual = most;
        this.most = most;
    }

    /**
     * Waits for a turn as long as the caller does; one that is free is had without time. Answers whether it got one.
     */
    boolean take(Work work) throws InterruptedException {
        while (true) {
            work.checkCancelled();
            Duration left = work.left();
            if (left.isNegative() || left.isZero()) {
                return tryAcquire(); // work that finishes goes on without its caller
            }
            long wait = Math.min(left.toNanos(), LOOK_UP.toNanos());
            if (tryAcquire(wait, TimeUnit.NANOSECONDS)) {
                return true;
            }
        }
    }

    /** From now on one turn less, where there are others; the server has fewer sessions to give than was thought. */
    synchronized boolean narrow() {
        if (most == 1) {
            return false;
        }
        most--;
        reducePermits(1);
        return true;
    }

    /** As many turns as at first. */
    synchronized void widen() {
        release(usual - most);
        most = usual;
    }

    /** Answers whether another program that lasts leaves turns for those that do not. */
    synchronized boolean beginLasting() {
        if (lasting >= Math.max(1, most / 2)) {
            return false;
        }
        lasting++;
        return true;
    }

    synchronized void endLasting() {
        lasting--;
    }

    synchronized int most() {
        return most;
    }
}
