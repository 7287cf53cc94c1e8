package dev.fairlead.adapter.k8s.election;

import dev.fairlead.adapter.k8s.api.OutageLog;
import dev.fairlead.adapter.k8s.election.Candidate.Step;
import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
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
 * way, cannot keep a leader from noticing that its time is up.
 */
public final class LeaseLeadership implements Leadership {
    private static final Logger log = LoggerFactory.getLogger(LeaseLeadership.class);

    private final Candidate candidate;
    private final String identity;
    private final Times times;
    private final InstantSource monotonic;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final OutageLog troubles = new OutageLog();
    private volatile Standing standing = Standing.STANDBY;
    private volatile String leader = "";
    private boolean talking;

    public LeaseLeadership(
            Candidate candidate, String identity, Times times, InstantSource monotonic, ThreadFactory threads) {
        this.candidate = candidate;
        this.identity = identity;
        this.times = times;
        this.monotonic = monotonic;
        this.threads = threads;
    }

    @Override
    public boolean lead(Consumer<String> lost) throws InterruptedException {
        log.atInfo().addKeyValue("candidate", identity).log("standing by until this replica leads");
        threads.newThread(() -> talk(lost)).start();
        lock.lock();
        try {
            while (standing == Standing.STANDBY) {
                changed.await();
            }
            return standing != Standing.ENDED;
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

    private void talk(Consumer<String> lost) {
        begin();
        try {
            while (standing == Standing.STANDBY || standing == Standing.LEADING) {
                Duration wait = step(lost);
                rest(wait);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            finish();
        }
    }

    private Duration step(Consumer<String> lost) {
        boolean leading = standing == Standing.LEADING;
        try {
            switch (candidate.step(patience(leading))) {
                case Step.Leads _ -> {
                    troubles.over();
                    if (!leading) {
                        take(lost);
                    }
                    return times.retry();
                }
                case Step.Waits(String other, Instant freeAt) -> {
                    troubles.over();
                    if (!leading) {
                        meet(other);
                        return untilFree(freeAt);
                    }
                }
                case Step.Lost(String why) -> lose(why, lost);
            }
        } catch (StorageException e) {
            troubles.met(e.failure());
        } catch (RuntimeException e) {
            // A replica that does not lead must go on trying; one that leads stops when its time is up.
            log.atError().setCause(e).log("an attempt at the Lease failed in an unexpected way");
        }
        return leading ? times.retry() : jittered();
    }

    /** Returns half of what a leader has, so that one answer that never comes leaves time for another attempt. */
    private Duration patience(boolean leading) {
        Duration half = times.renewal().dividedBy(2);
        if (!leading) {
            return half;
        }
        Duration left = Duration.between(monotonic.instant(), candidate.leadsUntil());
        return left.compareTo(half) < 0 ? max(left, Duration.ofMillis(1)) : half;
    }

    /** Returns a random wait, so that replicas that wait do not ask in step. */
    private Duration jittered() {
        return times.retry()
                .plusNanos(ThreadLocalRandom.current().nextLong(times.retry().toNanos()));
    }

    /**
     * Returns a wait that ends soon after the leader's time is up at the latest: if a leader died, nobody should wait
     * longer than needed.
     */
    private Duration untilFree(Instant freeAt) {
        Duration free = Duration.between(monotonic.instant(), freeAt)
                .plusNanos(ThreadLocalRandom.current().nextLong(times.retry().toNanos() / 10));
        Duration usual = jittered();
        return max(free.compareTo(usual) < 0 ? free : usual, times.retry().dividedBy(20));
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    private void meet(String other) {
        if (!other.isEmpty() && !other.equals(leader)) {
            log.atInfo().addKeyValue("leader", other).log("another replica leads");
        }
        leader = other;
    }

    private void take(Consumer<String> lost) {
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
        threads.newThread(() -> watch(lost)).start();
    }

    /** Ends the lead when its time is up; returns early if this replica does not lead any more. */
    private void watch(Consumer<String> lost) {
        lock.lock();
        try {
            while (standing == Standing.LEADING) {
                Duration left = Duration.between(monotonic.instant(), candidate.leadsUntil());
                if (!left.isPositive()) {
                    break;
                }
                var _ = changed.await(left.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return;
        } finally {
            lock.unlock();
        }
        lose("the Lease could not be renewed for " + times.renewal().toMillis() + " ms" + troubles.last(), lost);
    }

    private void lose(String why, Consumer<String> lost) {
        lock.lock();
        try {
            if (standing != Standing.LEADING) {
                return;
            }
            standing = Standing.LOST;
            leader = "";
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        threads.newThread(() -> lost.accept(why)).start();
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
