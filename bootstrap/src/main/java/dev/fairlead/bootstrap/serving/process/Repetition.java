package dev.fairlead.bootstrap.serving.process;

import dev.fairlead.application.port.work.ToldError;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task again and again, on a thread of its own, until it is closed. Whatever a run throws is logged and ends
 * that run alone: what the task looks for goes on happening. (Memory that is used up ends the process, by an option of
 * its JVM.)
 */
public final class Repetition implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Repetition.class);

    /** The longest wait of {@link #close} for the run that is under way. */
    private static final Duration LAST_RUN = Duration.ofSeconds(5);

    private final String name;
    private final Duration first;
    private final Duration interval;
    private final Runnable task;
    private final Thread thread;

    private final ToldError told = new ToldError();

    /**
     * Makes one whose task is run for the first time after one interval.
     *
     * @param name what the task does, for the log
     */
    public Repetition(String name, Duration interval, Runnable task, ThreadFactory threads) {
        this(name, interval, interval, task, threads);
    }

    /** @param first the time before the task is run for the first time */
    public Repetition(String name, Duration first, Duration interval, Runnable task, ThreadFactory threads) {
        this.name = name;
        this.first = first;
        this.interval = interval;
        this.task = task;
        this.thread = threads.newThread(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Ends it, and waits a moment for a run that is under way, so that nothing is written after this. */
    @Override
    public void close() {
        close(List.of(this));
    }

    /** Ends several, and waits for all of them together no longer than for one. */
    public static void close(List<Repetition> all) {
        all.forEach(it -> it.thread.interrupt());
        long end = System.nanoTime() + LAST_RUN.toNanos();
        all.forEach(it -> it.await(Duration.ofNanos(end - System.nanoTime())));
    }

    private void await(Duration atMost) {
        if (thread.equals(Thread.currentThread()) || thread.getState() == Thread.State.NEW) {
            return;
        }
        try {
            if (!thread.join(atMost)) {
                log.warn("{}: its last run goes on, and is not waited for", name);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            TimeUnit.NANOSECONDS.sleep(first.toNanos());
            while (!Thread.currentThread().isInterrupted()) {
                runOnce();
                TimeUnit.NANOSECONDS.sleep(interval.toNanos());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void runOnce() {
        try {
            task.run();
            told.over();
        } catch (RuntimeException | Error e) {
            tell(e);
        }
    }

    /** Logs a failure with its trace once, and in one line as long as each run repeats it. */
    private void tell(Throwable thrown) {
        if (told.isNew(thrown)) {
            log.error("{}: it ended with an error of the program, and is tried again; please report it", name, thrown);
        } else {
            log.warn("{}: as before, {}; it is tried again", name, thrown.toString());
        }
    }
}
