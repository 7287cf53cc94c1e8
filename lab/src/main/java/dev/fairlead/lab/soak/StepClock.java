package dev.fairlead.lab.soak;

import dev.fairlead.lab.report.Latencies;
import dev.fairlead.lab.soak.cluster.ClusterState;
import dev.fairlead.lab.soak.cluster.SoakCluster;
import dev.fairlead.lab.soak.cluster.SoakFailure;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Takes the steps of all slots: a few at a time, each timed, each with an end. */
final class StepClock {
    private final SoakCluster cluster;
    private final Semaphore turns;
    private final Duration limit;
    private final Latencies latencies = new Latencies();
    private final Set<Open> open = ConcurrentHashMap.newKeySet();

    /**
     * @param atOnce how many steps may change something in the cluster at a time
     * @param limit how long a step may take
     */
    StepClock(SoakCluster cluster, int atOnce, Duration limit) {
        this.cluster = cluster;
        this.turns = new Semaphore(atOnce, true);
        this.limit = limit;
    }

    /** A step that has begun and has not ended. */
    private record Open(LifeStep step, String name, long since) {}

    /** Says whether a step is done; asked again and again. */
    @FunctionalInterface
    interface Look {
        boolean done();
    }

    /** Asks for something, waits for a turn before, and until it is there. Throws if it is not there in time. */
    void take(LifeStep step, Protocol protocol, String name, Runnable ask, Predicate<ClusterState> done) {
        turns.acquireUninterruptibly();
        try {
            timed(step, protocol, name, () -> {
                ask.run();
                if (!cluster.await(done, limit)) {
                    throw new SoakFailure("unfinished: " + step.words() + " of " + name + " for " + limit.toSeconds()
                            + " s; " + cluster.told(name));
                }
            });
        } finally {
            turns.release();
        }
    }

    /** Looks every few seconds until something is done, which changes nothing in the cluster, so it needs no turn. */
    void look(LifeStep step, Protocol protocol, String name, Look look) {
        timed(step, protocol, name, () -> {
            long end = System.nanoTime() + limit.toNanos();
            while (!look.done()) {
                if (System.nanoTime() > end) {
                    throw new SoakFailure("unfinished: " + step.words() + " of " + name + " for " + limit.toSeconds()
                            + " s; " + cluster.lastSaid(name) + "; " + cluster.told(name));
                }
                pause(5);
            }
        });
    }

    private void timed(LifeStep step, Protocol protocol, String name, Runnable action) {
        long begin = System.nanoTime();
        Open opened = new Open(step, name, begin);
        open.add(opened);
        try {
            action.run();
            long end = System.nanoTime();
            latencies.add(step.words(), end - begin);
            latencies.add(step.words() + ", " + protocol.words(), end - begin);
        } finally {
            open.remove(opened);
        }
    }

    static void pause(long seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Returns the step that has been open for the longest time. */
    String longest() {
        long now = System.nanoTime();
        return open.stream()
                .min(Comparator.comparingLong(it -> it.since() - now))
                .map(it -> String.format(
                        Locale.ROOT,
                        "%d s (%s, %s)",
                        (now - it.since()) / 1_000_000_000,
                        it.step().words(),
                        it.name()))
                .orElse("-");
    }

    Latencies latencies() {
        return latencies;
    }
}
