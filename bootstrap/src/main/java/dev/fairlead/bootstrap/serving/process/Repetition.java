package dev.fairlead.bootstrap.serving.process;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Runs a task again and again, on a thread of its own, until it is closed; the first time after one interval. */
public final class Repetition implements AutoCloseable {
    private final Duration interval;
    private final Runnable task;
    private final Thread thread;

    /** @param task handles its failures itself: an exception that it throws ends the repetition */
    public Repetition(Duration interval, Runnable task, ThreadFactory threads) {
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
            while (!Thread.currentThread().isInterrupted()) {
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
                task.run();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
