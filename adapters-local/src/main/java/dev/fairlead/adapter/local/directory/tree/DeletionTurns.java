package dev.fairlead.adapter.local.directory.tree;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets few trees of a process be deleted at once. Disks that do not answer keep their turns, so nobody waits for ever.
 */
public final class DeletionTurns {
    /** The time after which a tree is deleted even if all turns are taken. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Semaphore turns;

    public DeletionTurns(int number) {
        turns = new Semaphore(number, true);
    }

    /** Waits for a turn; returns false if none came in time, and the tree is deleted all the same. */
    public boolean take() throws IOException {
        try {
            return turns.tryAcquire(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** @param taken the result of {@link #take} */
    public void giveBack(boolean taken) {
        if (taken) {
            turns.release();
        }
    }
}
