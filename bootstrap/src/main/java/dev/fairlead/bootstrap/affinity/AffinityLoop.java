package dev.fairlead.bootstrap.affinity;

import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.bootstrap.monitor.Health;
import dev.fairlead.bootstrap.monitor.Phase;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs one round after another while this process leads: each time something may have changed, once a placement has
 * settled, and at least once in each interval. It ends after the volume at hand.
 */
public final class AffinityLoop {
    private static final Logger log = LoggerFactory.getLogger(AffinityLoop.class);

    /** The pause after something changed, so that what changes together is looked at together. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** The pause between two rounds at least: one that takes long has gathered meanwhile what changes together. */
    private static final Duration LEAST_PAUSE = Duration.ofMillis(100);

    /** The bytes of garbage that are not worth a collection. */
    private static final long ROUGH = 2L << 20;

    /** The collections of which the best one counts: one that comes in the middle of a look leaves what that needs. */
    private static final int LAST = 4;

    private final Duration interval;
    private final Health health;
    private final Consumer<AffinityRun.Report> looked;
    private final AtomicReference<Optional<Leadership>> contended = new AtomicReference<>(Optional.empty());
    private final AtomicBoolean ending = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean wake;
    private long wokenAt;
    private final long[] left = new long[LAST];
    private int collections;

    /**
     * @param health is told when this process leads and when it ends
     * @param looked takes what each round came to
     */
    public AffinityLoop(Duration interval, Health health, Consumer<AffinityRun.Report> looked) {
        this.interval = interval;
        this.health = health;
        this.looked = looked;
    }

    /** Makes the next round come soon. */
    public void wake() {
        lock.lock();
        try {
            if (!wake) wokenAt = System.nanoTime();
            wake = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets the volume at hand be the last; a replica that stands by stops to contend. */
    public void end() {
        ending.set(true);
        health.enter(Phase.ENDING);
        contended
                .get()
                .filter(leadership -> leadership.standing() == Leadership.Standing.STANDBY)
                .ifPresent(Leadership::end);
        wake();
    }

    /**
     * Leads, and runs rounds until the end.
     *
     * @return 0 at the end, 1 if the leadership was lost
     */
    public int run(Leadership leadership, AffinityRun run) throws InterruptedException {
        AtomicBoolean lost = new AtomicBoolean();
        contended.set(Optional.of(leadership));
        if (ending.get()) {
            return 0;
        }
        health.enter(Phase.STANDBY);
        boolean leads = leadership.lead(why -> {
            log.atError()
                    .addKeyValue("code", AffinityFinding.ANOTHER_AT_WORK.code())
                    .addKeyValue("reason", why)
                    .log("this replica does not lead any more; another one takes over");
            lost.set(true);
            end();
        });
        if (leads) {
            health.enter(Phase.SERVING);
        }
        while (leads && !ending.get()) {
            Duration next = round(run);
            tidy();
            rest(next);
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

    /** Returns how long the next round may be away. */
    private Duration round(AffinityRun run) {
        try {
            AffinityRun.Report report = run.once(Duration.ofNanos(System.nanoTime()), () -> !ending.get());
            health.remark(Optional.empty());
            report.outcomes().forEach(AffinityLoop::told);
            looked.accept(report);
            log.atDebug()
                    .addKeyValue("planned", report.plan().entries().size())
                    .addKeyValue("unknown", report.plan().unknown().size())
                    .log("a round has ended");
            return report.due()
                    .map(due -> due.minus(Duration.ofNanos(System.nanoTime())))
                    .filter(left -> left.compareTo(interval) < 0)
                    .orElse(interval);
        } catch (StorageException e) {
            // The text may name objects of the cluster, and whoever reaches the port may read it.
            health.remark(Optional.of("changes are stopped: " + e.failure().code() + "; the log says why"));
            log.atWarn()
                    .addKeyValue("code", e.failure().code())
                    .addKeyValue("reason", e.failure().message())
                    .log("nothing can be said of volumes now; nothing is changed");
        } catch (RuntimeException e) {
            log.atError().setCause(e).log("a round broke off; the next one begins anew");
        }
        return interval;
    }

    /**
     * Gives back what a round over thousands of volumes has needed. It has outlived many small collections, and the
     * collector would let the heap grow up to its limit before it looks at what is old.
     */
    private void tidy() {
        if (used() > Arrays.stream(left).min().orElse(0) + ROUGH) {
            System.gc();
            left[collections++ % LAST] = used();
        }
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void told(ChangeOutcome outcome) {
        boolean person = outcome.result() == Result.BLOCKED || outcome.result() == Result.RETAINED;
        log.atLevel(person ? Level.WARN : Level.INFO)
                .addKeyValue("volume", outcome.volume())
                .addKeyValue("result", outcome.result().name())
                .addKeyValue(
                        "code", outcome.finding().map(AffinityFinding::code).orElse(""))
                .addKeyValue("detail", outcome.text())
                .log("affinity");
    }

    /** Returns how long to wait for more to change, of which the first was told so long ago. */
    static Duration pause(Duration ago) {
        Duration left = PAUSE.minus(ago);
        return left.compareTo(LEAST_PAUSE) < 0 ? LEAST_PAUSE : left;
    }

    private void rest(Duration longest) throws InterruptedException {
        boolean early;
        Duration ago;
        lock.lock();
        try {
            long left = Math.max(PAUSE.toNanos(), longest.toNanos());
            while (!wake && left > 0) {
                left = woken.awaitNanos(left);
            }
            early = wake;
            ago = Duration.ofNanos(System.nanoTime() - wokenAt);
        } finally {
            lock.unlock();
        }
        if (early && !ending.get()) {
            TimeUnit.NANOSECONDS.sleep(pause(ago).toNanos());
        }
        lock.lock();
        try {
            // What came during the pause is seen by the round that follows.
            wake = false;
        } finally {
            lock.unlock();
        }
    }
}
