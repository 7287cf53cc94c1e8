package dev.fairlead.adapter.k8s.election;

import dev.fairlead.adapter.k8s.api.OutageLog;
import dev.fairlead.adapter.k8s.election.Candidate.Step;
import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.work.ToldError;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contends for a Lease, and holds it.
 *
 * <p>Two threads: one talks to the server; the other only looks at the clock, so that a call that hangs, in whatever
 * way, cannot keep a leader from noticing that its time is up. The clock runs before the first attempt, and says itself
 * that the lead is lost, so that neither to lead nor to stop depends on a thread that may not be had then.
 */
public final class LeaseLeadership implements Leadership {
    private static final Logger log = LoggerFactory.getLogger(LeaseLeadership.class);

    private final Candidate candidate;
    private final String identity;
    private final Times times;
    private final AttemptTimes attempts;
    private final InstantSource monotonic;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final OutageLog troubles = new OutageLog();
    private volatile Standing standing = Standing.STANDBY;
    private volatile String leader = "";
    private boolean talking;
    private volatile String ending = "";
    private final ToldError unexpected = new ToldError();

    public LeaseLeadership(
            Candidate candidate, String identity, Times times, InstantSource monotonic, ThreadFactory threads) {
        this.candidate = candidate;
        this.identity = identity;
        this.times = times;
        this.attempts = new AttemptTimes(times, monotonic);
        this.monotonic = monotonic;
        this.threads = threads;
    }

    @Override
    public boolean lead(Consumer<String> lost) throws InterruptedException {
        log.atInfo().addKeyValue("candidate", identity).log("standing by until this replica leads");
        try {
            threads.newThread(() -> watch(lost)).start();
            threads.newThread(this::talk).start();
        } catch (RuntimeException | Error e) { // no thread can be had, for example
            end();
            throw e;
        }
        lock.lock();
        try {
            while (standing == Standing.STANDBY) {
                changed.await();
            }
            return standing == Standing.LEADING; // if it has lost already, who is told ends the process
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Standing standing() {
        return standing;
    }

    @Override
    public String leader() {
        return leader;
    }

    private void talk() {
        begin();
        try {
            while (standing == Standing.STANDBY || standing == Standing.LEADING) {
                Duration wait = step();
                rest(wait);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            finish();
        }
    }

    private Duration step() {
        boolean leading = standing == Standing.LEADING;
        try {
            switch (candidate.step(attempts.patience(leading ? candidate.leadsUntil() : Instant.MAX))) {
                case Step.Leads _ -> {
                    troubles.over();
                    unexpected.over();
                    if (!leading) {
                        take();
                    }
                    return times.retry();
                }
                case Step.Waits(String other, Instant freeAt) -> {
                    troubles.over();
                    unexpected.over();
                    if (!leading) {
                        meet(other);
                        return attempts.untilFree(freeAt);
                    }
                }
                case Step.Lost(String why) -> lose(why);
            }
        } catch (StorageException e) {
            troubles.met(e.failure());
        } catch (RuntimeException | Error e) {
            // A replica that does not lead must go on trying; one that leads stops when its time is up.
            tell(e);
        }
        return leading ? times.retry() : attempts.jittered();
    }

    /** Logs an error of the program once, as long as each attempt repeats it. */
    private void tell(Throwable thrown) {
        if (unexpected.isNew(thrown)) {
            log.atError().setCause(thrown).log("an attempt at the Lease failed in an unexpected way; trying on");
        }
    }

    private void meet(String other) {
        if (!other.isEmpty() && !other.equals(leader)) {
            log.atInfo().addKeyValue("leader", other).log("another replica leads");
        }
        leader = other;
    }

    private void take() {
        lock.lock();
        try {
            if (standing != Standing.STANDBY) {
                return;
            }
            standing = Standing.LEADING;
            leader = identity;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        log.atInfo().addKeyValue("leader", identity).log("this replica leads");
    }

    /** Looks at the clock until this replica neither leads nor will, and says if it has lost the lead. */
    private void watch(Consumer<String> lost) {
        try {
            untilOver();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            lose("the clock of the lead was interrupted"); // nobody leads without one
        } catch (RuntimeException | Error e) {
            log.atError().setCause(e).log("the clock of the lead failed in an unexpected way");
            lose("the clock of the lead failed");
        }
        if (standing == Standing.LOST) {
            lost.accept(ending);
        }
    }

    /** Waits until this replica neither leads nor will; ends its lead when its time is up. */
    private void untilOver() throws InterruptedException {
        lock.lock();
        try {
            while (standing == Standing.STANDBY) {
                changed.await();
            }
            while (standing == Standing.LEADING) {
                Duration left = Duration.between(monotonic.instant(), candidate.leadsUntil());
                if (left.isPositive()) {
                    var _ = changed.await(left.toNanos(), TimeUnit.NANOSECONDS);
                } else {
                    lose("the Lease could not be renewed for " + times.renewal().toMillis() + " ms" + troubles.last());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the lead, or keeps this replica from ever having it. */
    private void lose(String why) {
        lock.lock();
        try {
            if (standing != Standing.LEADING && standing != Standing.STANDBY) {
                return;
            }
            ending = why;
            standing = Standing.LOST;
            leader = "";
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void rest(Duration time) throws InterruptedException {
        lock.lock();
        try {
            long left = time.toNanos();
            Standing before = standing;
            while (left > 0 && standing == before) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void begin() {
        lock.lock();
        try {
            talking = true;
        } finally {
            lock.unlock();
        }
    }

    private void finish() {
        lock.lock();
        try {
            talking = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resign() {
        boolean led = standing == Standing.LEADING;
        end();
        if (standing == Standing.ENDED && quiet()) {
            try {
                candidate.release(times.retry());
                if (led) {
                    log.atInfo().addKeyValue("leader", identity).log("this replica has given up the lead");
                }
            } catch (StorageException e) {
                log.atWarn()
                        .addKeyValue("reason", e.failure().message())
                        .log("the Lease could not be emptied; it runs out by itself");
            }
        }
    }

    /** Waits for a renewal that is under way: it must not come after the Lease was emptied. */
    private boolean quiet() {
        lock.lock();
        try {
            long left = times.renewal().dividedBy(2).toNanos();
            while (talking && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !talking;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end() {
        lock.lock();
        try {
            if (standing != Standing.LOST) {
                standing = Standing.ENDED;
                leader = "";
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
