package dev.fairlead.adapter.local.directory.base;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Runs tasks at a given time. */
@FunctionalInterface
public interface Alarm {
    /** Runs the task at the time, unless it is called off before; the task must be quick. */
    Call at(Instant when, Runnable task);

    /** Calls off a task that is to run later. */
    @FunctionalInterface
    interface Call {
        Call NONE = () -> {};

        /** Calls the task off; does nothing if it has begun. */
        void off();
    }

    /** Returns an alarm with a thread for each task, which sleeps until its time. */
    static Alarm of(InstantSource clock, ThreadFactory threads) {
        return (when, task) -> {
            Thread thread = threads.newThread(() -> {
                if (sleptUntil(when, clock)) {
                    task.run();
                }
            });
            thread.start();
            return thread::interrupt;
        };
    }

    /**
     * Sleeps until the time and returns true, or false if it was called off. It looks at the clock again after each
     * sleep, since clocks may be set meanwhile.
     */
    private static boolean sleptUntil(Instant when, InstantSource clock) {
        try {
            Duration left = Duration.between(clock.instant(), when);
            while (left.isPositive()) {
                TimeUnit.NANOSECONDS.sleep(left.toNanos());
                left = Duration.between(clock.instant(), when);
            }
            return !Thread.currentThread().isInterrupted();
        } catch (InterruptedException _) {
            return false; // the thread then ends
        }
    }
}
