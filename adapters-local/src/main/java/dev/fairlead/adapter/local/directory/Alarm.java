package dev.fairlead.adapter.local.directory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Begins something at a time to come. */
@FunctionalInterface
interface Alarm {
    /** Begins the task at the time, unless it is called off before; it must be quick. */
    Call at(Instant when, Runnable task);

    /** Something that begins later. */
    @FunctionalInterface
    interface Call {
        Call NONE = () -> {};

        /** Calls it off; nothing happens where it has begun. */
        void off();
    }

    /** An alarm with a thread for each task, which sleeps until its time. */
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

    /** Looks at the clock again after each sleep, since clocks are set meanwhile; false where it is called off. */
    private static boolean sleptUntil(Instant when, InstantSource clock) {
        try {
            Duration left = Duration.between(clock.instant(), when);
            while (left.isPositive()) {
                TimeUnit.NANOSECONDS.sleep(left.toNanos());
                left = Duration.between(clock.instant(), when);
            }
            return !Thread.currentThread().isInterrupted();
        } catch (InterruptedException _) {
            return false; // the thread ends by this
        }
    }
}
