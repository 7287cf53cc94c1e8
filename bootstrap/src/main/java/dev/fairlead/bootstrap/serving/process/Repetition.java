package dev.fairlead.bootstrap.serving.process;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Runs a task again and again, on a thread of its own, until it is closed. */
public final class Repetition implements AutoCloseable {
    private final Duration first;
    private final Duration interval;
    private final Runnable task;
    private final Thread thread;

    /**
     * Makes one whose task is run for the first time after one interval.
     *
     * @param task handles its failures itself: an exception that it throws ends the repetition
     */
    public Repetition(Duration interval, Runnable task, ThreadFactory threads) {
        this(interval, interval, task, threads);
    }

    /** @param first the time before the task is run for the first time */
    public Repetition(Duration first, Duration interval, Runnable task, ThreadFactory threads) {
        this.first = first;
        this.interval = interval;
        this.task = task;
        this.thread = threads.newThread(this::run);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            TimeUnit.NANOSECONDS.sleep(first.toNanos());
            while (!Thread.currentThread().isInterrupted()) {
                task.run();
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
