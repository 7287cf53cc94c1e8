package dev.fairlead.adapter.k8s.node;

import dev.fairlead.adapter.k8s.node.NodeTaint.Outcome;
import dev.fairlead.application.port.out.cluster.StartupTaint;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.ToldError;
import dev.fairlead.domain.failure.StorageException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries until the taint is gone, ever more seldom.
 *
 * <p>It does not give up: kubelet may need minutes, a role may be granted later, and a node that keeps the taint is of
 * no use to anybody. What it waits for is logged when it changes, so the log has a line for each cause and not for each
 * try.
 */
public final class TaintRemoval implements StartupTaint {
    private static final Logger log = LoggerFactory.getLogger(TaintRemoval.class);

    /** The number of tries, about a minute, after which the taint is no longer a matter of starting. */
    static final int PATIENT_TRIES = 8;

    private final Supplier<Outcome> removing;
    private final TaintSettings settings;
    private final Backoff backoff;
    private final ThreadFactory threads;
    private final Runnable idle;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ToldError errors = new ToldError();
    private volatile String told = "";

    /** @param idle lets go of what a client keeps between calls */
    public TaintRemoval(
            NodeTaint taint, TaintSettings settings, Backoff backoff, ThreadFactory threads, Runnable idle) {
        this(taint::lift, settings, backoff, threads, idle);
    }

    /** @param removing makes one try */
    TaintRemoval(
            Supplier<Outcome> removing, TaintSettings settings, Backoff backoff, ThreadFactory threads, Runnable idle) {
        this.removing = removing;
        this.settings = settings;
        this.backoff = backoff;
        this.threads = threads;
        this.idle = idle;
    }

    @Override
    public void lift() {
        threads.newThread(this::untilGone).start();
    }

    private void untilGone() {
        try {
            int attempt = 0;
            while (!done(attempt) && !closed.await(backoff.after(attempt).toNanos(), TimeUnit.NANOSECONDS)) {
                attempt++;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            idle.run();
        }
    }

    private boolean done(int attempt) {
        try {
            return switch (removing.get()) {
                case Outcome.Removed() -> {
                    tell("the node's startup taint is removed");
                    yield true;
                }
                case Outcome.Absent() -> {
                    tell("the node has no startup taint");
                    yield true;
                }
                case Outcome.NotYet(String why) -> {
                    complain(attempt, why);
                    yield false;
                }
            };
        } catch (StorageException e) {
            complain(attempt, e.failure().code() + " " + e.failure().message());
        } catch (RuntimeException | Error e) { // the node is of no use with its taint, so no error ends the tries
            complain(e);
        }
        return false;
    }

    private void tell(String what) {
        log.atInfo().addKeyValue("taint", settings.key()).log(what);
    }

    private void complain(int attempt, String reason) {
        boolean late = attempt == PATIENT_TRIES;
        if (late || !told.equals(reason)) {
            (late ? log.atWarn() : log.atInfo())
                    .addKeyValue("taint", settings.key())
                    .addKeyValue("reason", reason)
                    .log("the node's startup taint is not removed yet");
            told = reason;
        }
    }

    /** Logs an error of the program once, as long as each try repeats it. */
    private void complain(Throwable thrown) {
        if (errors.isNew(thrown)) {
            log.atError().setCause(thrown).log("the node's startup taint could not be looked at; it is tried again");
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
