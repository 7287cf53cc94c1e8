package dev.fairlead.bootstrap.affinity;

import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs one round after another while this process leads: each time something may have changed, and at least once in
 * each interval. It ends after the volume at hand.
 */
public final class AffinityLoop {
    private static final Logger log = LoggerFactory.getLogger(AffinityLoop.class);

    /** The pause after something changed, so that what changes together is looked at together. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Duration interval;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean wake;

    public AffinityLoop(Duration interval) {
        this.interval = interval;
    }

    /** Makes the next round come soon. */
    public void wake() {
        lock.lock();
        try {
            wake = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the volume at hand be the last. */
    public void end() {
        ending.set(true);
        wake();
    }

    /**
     * Leads, and runs rounds until the end.
     *
     * @return 0 at the end, 1 if the leadership was lost
     */
    public int run(Leadership leadership, AffinityRun run) throws InterruptedException {
        AtomicBoolean lost = new AtomicBoolean();
        boolean leads = leadership.lead(why -> {
            log.atError().addKeyValue("reason", why).log("this replica does not lead any more; another one takes over");
            lost.set(true);
            end();
        });
        while (leads && !ending.get()) {
            round(run);
            rest();
        }
        if (lost.get()) {
            return 1;
        }
        if (leads) {
            leadership.resign();
        }
        leadership.end();
        return 0;
    }

    private void round(AffinityRun run) {
        try {
            AffinityRun.Report report = run.once(Duration.ofNanos(System.nanoTime()), () -> !ending.get());
            report.outcomes().forEach(AffinityLoop::told);
            log.atDebug()
                    .addKeyValue("planned", report.plan().entries().size())
                    .addKeyValue("unknown", report.plan().unknown().size())
                    .log("a round has ended");
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("code", e.failure().code())
                    .addKeyValue("reason", e.failure().message())
                    .log("nothing can be said of volumes now; nothing is changed");
        } catch (RuntimeException e) {
            log.atError().setCause(e).log("a round broke off; the next one begins anew");
        }
    }

    private static void told(ChangeOutcome outcome) {
        boolean person = outcome.result() == Result.BLOCKED || outcome.result() == Result.RETAINED;
        log.atLevel(person ? Level.WARN : Level.INFO)
                .addKeyValue("volume", outcome.volume())
                .addKeyValue("result", outcome.result().name())
                .addKeyValue("detail", outcome.text())
                .log("affinity");
    }

    private void rest() throws InterruptedException {
        lock.lock();
        try {
            long left = interval.toNanos();
            while (!wake && left > 0) {
                left = woken.awaitNanos(left);
            }
            wake = false;
        } finally {
            lock.unlock();
        }
        if (!ending.get()) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }
}
