package dev.fairlead.adapter.freenas.client.session;

import dev.fairlead.adapter.freenas.client.ApiMethod;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets so many calls be under way at once, in order of arrival. Those that may take long, such as clones, get all turns
 * but a few: a node is let in and shut out by short calls, which never wait for theirs.
 */
public final class CallTurns {
    /** The turns that long calls leave to others. */
    private static final int LEFT = 2;

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final Semaphore all;
    private final Semaphore ofLong;

    public CallTurns(int most) {
        this.all = new Semaphore(most, true);
        this.ofLong = new Semaphore(most - LEFT, true);
    }

    /**
     * Takes a turn for a call of this method; whoever took one gives it back.
     *
     * @param between run every second while it waits; what it throws ends the waiting
     * @throws SessionException if there is none in time
     */
    public void take(ApiMethod method, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        if (!method.mayTakeLong()) {
            await(all, end, patience, between);
            return;
        }
        await(ofLong, end, patience, between);
        boolean taken = false;
        try {
            await(all, end, patience, between);
            taken = true;
        } finally {
            if (!taken) {
                ofLong.release();
            }
        }
    }

    private static void await(Semaphore turns, long end, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        while (true) {
            long left = end - System.nanoTime();
            if (turns.tryAcquire(Math.max(0, Math.min(left, LOOK_UP.toNanos())), TimeUnit.NANOSECONDS)) {
                return;
            }
            if (left <= LOOK_UP.toNanos()) {
                throw new SessionException(
                        Kind.NOT_DONE, "other calls left no turn within " + patience.toMillis() + " ms");
            }
            between.run();
        }
    }

    /** Gives back the turn of a call of this method. */
    public void giveBack(ApiMethod method) {
        all.release();
        if (method.mayTakeLong()) {
            ofLong.release();
        }
    }
}
