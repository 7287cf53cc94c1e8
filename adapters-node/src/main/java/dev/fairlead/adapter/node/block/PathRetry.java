package dev.fairlead.adapter.node.block;

import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries from time to time what is missing of targets or subsystems that are attached. One thread does it, of one after
 * the other, and only as long as something is missing: after one round first, and ever more seldom then, up to each
 * tenth round.
 */
public final class PathRetry {
    /** The most rounds between two attempts. */
    public static final int MOST_ROUNDS = 10;

    private static final Duration ATTEMPT = Duration.ofSeconds(30);
    private static final Logger log = LoggerFactory.getLogger(PathRetry.class);

    private final Attempt attempt;
    private final ThreadFactory threads;
    private final Duration round;
    private final Map<String, Kept> kept = new LinkedHashMap<>();
    private boolean running;

    /** Tries what is missing of a target or subsystem. */
    @FunctionalInterface
    public interface Attempt {
        /** Returns whether something is still missing, so that it has to be tried again. */
        boolean leavesMissing(String name, Work work);
    }

    /** @param round the time between two looks at what is to be tried */
    public PathRetry(Attempt attempt, ThreadFactory threads, Duration round) {
        this.attempt = attempt;
        this.threads = threads;
        this.round = round;
    }

    /** Counts the rounds until the next attempt. */
    private static final class Kept {
        private final String name;
        private final Work work;
        private int pause = 1;
        private int left = 1;
        private boolean askedMeanwhile;

        private Kept(String name, Work work) {
            this.name = name;
            this.work = work;
        }
    }

    /** Tries this target or subsystem from the next round on; one that is tried already keeps its turn. */
    public synchronized void keep(String name, Work work) {
        kept.computeIfAbsent(name, _ -> new Kept(name, RetryWork.of(work, ATTEMPT))).askedMeanwhile = true;
        if (!running) {
            threads.newThread(this::run).start();
            running = true;
        }
    }

    public synchronized void forget(String name) {
        kept.remove(name);
    }

    /** Returns whether there is anything to be tried; ends the thread if there is not. */
    private synchronized boolean goesOn() {
        running = !kept.isEmpty();
        return running;
    }

    /** Returns those whose turn it is in this round. */
    private synchronized List<Kept> due() {
        kept.values().forEach(it -> it.left--);
        List<Kept> due = kept.values().stream().filter(it -> it.left <= 0).toList();
        due.forEach(it -> it.askedMeanwhile = false);
        return due;
    }

    private void run() {
        while (goesOn()) {
            try {
                Backoff.pause(round);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            due().forEach(this::attempt);
        }
    }

    private void attempt(Kept one) {
        boolean missing = true;
        try {
            missing = attempt.leavesMissing(one.name, one.work);
        } catch (StorageException e) {
            log.atDebug()
                    .addKeyValue("name", one.name)
                    .addKeyValue("why", e.failure().message())
                    .log("a path that is missing could not be tried");
        } catch (RuntimeException | Error e) { // whatever it is, the other ways are still to be tried
            log.atError()
                    .addKeyValue("name", one.name)
                    .setCause(e)
                    .log("a path that is missing could not be tried, for an error of the program");
        }
        settle(one, missing);
    }

    private synchronized void settle(Kept one, boolean missing) {
        if (missing || one.askedMeanwhile) {
            one.pause = Math.min(one.pause * 2, MOST_ROUNDS);
            one.left = one.pause;
        } else {
            kept.remove(one.name, one);
        }
    }
}
