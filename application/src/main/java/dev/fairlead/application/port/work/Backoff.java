package dev.fairlead.application.port.work;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Says how long to wait before trying again: twice as long each time, up to a bound, and never two clients in step.
 *
 * @param first the longest wait before the second attempt
 * @param most the longest wait before any attempt
 */
public record Backoff(Duration first, Duration most) {
    private static final int MAX_DOUBLINGS = 16;

    /** @param attempt from 0 */
    public Duration after(int attempt) {
        long ceiling = Math.min(most.toNanos(), first.toNanos() << Math.min(attempt, MAX_DOUBLINGS));
        return Duration.ofNanos(ceiling / 2 + ThreadLocalRandom.current().nextLong(ceiling / 2 + 1));
    }

    public static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /**
     * Waits as the other method does, in the middle of a call's work.
     *
     * @throws StorageException {@code Cancelled} if the thread is interrupted, which it stays
     */
    public static void pause(Duration time, Work work) {
        try {
            pause(time);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        }
    }
}
