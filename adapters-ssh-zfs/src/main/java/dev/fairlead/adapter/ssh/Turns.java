package dev.fairlead.adapter.ssh;

import dev.fairlead.application.port.work.Work;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Limits how many programs run on a session at once; further callers wait in order of arrival. */
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
     * Waits for a turn as long as the caller has time and returns whether it got one; with no time left it still takes
     * a turn that is free.
     */
    boolean take(Work work) throws InterruptedException {
        while (true) {
            work.checkCancelled();
            Duration left = work.left();
            if (left.isNegative() || left.isZero()) {
                return tryAcquire(); // work to be finished goes on after its caller's time
            }
            long wait = Math.min(left.toNanos(), LOOK_UP.toNanos());
            if (tryAcquire(wait, TimeUnit.NANOSECONDS)) {
                return true;
            }
        }
    }

    /**
     * Reduces the number of turns by one, because the server has fewer sessions than was thought; returns false if
     * there is only one.
     */
    synchronized boolean narrow() {
        if (most == 1) {
            return false;
        }
        most--;
        reducePermits(1);
        return true;
    }

    /** Restores the original number of turns. */
    synchronized void widen() {
        release(usual - most);
        most = usual;
    }

    /**
     * Counts in one more long command and returns true, or returns false if half the turns, or the only one, are in use
     * by such.
     */
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
