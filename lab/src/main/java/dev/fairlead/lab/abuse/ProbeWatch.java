package dev.fairlead.lab.abuse;

import dev.fairlead.adapter.grpc.socket.CsiProbe;
import dev.fairlead.lab.abuse.machine.Pulse;
import dev.fairlead.lab.abuse.machine.ThreadPriority;
import dev.fairlead.lab.report.Latencies;
import dev.fairlead.lab.report.Violations;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Asks the driver every 50 ms whether it is ready, as livenessprobe does, on a connection of its own each time, and
 * times each answer.
 *
 * <p>It sends few bytes and uses no gRPC library, so that it times the driver and not the client beside it.
 *
 * <p>An answer counts whenever it comes, also right after a kill: the process that gave it had taken the call. No
 * answer counts unless the driver had been killed and was not there.
 *
 * <p>Time for which the machine itself stalled (see {@link Pulse}), or for which the thread that asks waited for a
 * processor, does not count when an answer is judged too slow.
 */
final class ProbeWatch implements AutoCloseable {
    /** The times of Probes as they were. */
    static final String KIND = "Probe";

    /** The same less what the machine stalled meanwhile, by which they are judged. */
    static final String JUDGED = "Probe less stalls";

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Installation installation;
    private final Violations violations;
    private final Latencies latencies;
    private final int mostMillis;
    private final Pulse pulse;
    private final ProbeShares shares;
    private final Thread thread;
    private volatile boolean stopped;

    ProbeWatch(Installation installation, Pulse pulse, Violations violations, Latencies latencies, int mostMillis) {
        this.pulse = pulse;
        this.installation = installation;
        this.violations = violations;
        this.latencies = latencies;
        this.mostMillis = mostMillis;
        this.shares = new ProbeShares(installation);
        this.thread = Thread.ofPlatform().name("probe-watch").start(this::watch);
    }

    private void watch() {
        ThreadPriority.asTheDriver();
        while (!stopped) {
            probe();
            sleep();
        }
    }

    private void probe() {
        shares.begin();
        long begin = System.nanoTime();
        Optional<String> obstacle = CsiProbe.obstacle(installation.socket(), PATIENCE);
        long end = System.nanoTime();
        if (obstacle.isPresent()) {
            if (!installation.outages().wasDown(begin, end)) {
                violations.add("Probe failed: " + obstacle.get());
                revive();
            }
            return;
        }
        String spent = shares.end();
        latencies.add(KIND, end - begin);
        long stalled = Math.min(end - begin, Math.max(pulse.stalled(begin, end), shares.askerWaited()));
        latencies.add(JUDGED, end - begin - stalled);
        double millis = (end - begin - stalled) / 1e6;
        if (millis > mostMillis) {
            violations.add("Probe took %.0f ms (at most: %d) besides %.0f ms that the machine stalled: %s"
                    .formatted(millis, mostMillis, stalled / 1e6, spent));
        }
    }

    /** Starts the driver again if it has ended by itself, so that the other abuse goes on. */
    private void revive() {
        try {
            installation
                    .startIfDead()
                    .ifPresent(said -> violations.add("the driver ended by itself; it said last: " + said));
        } catch (IOException | InterruptedException e) {
            violations.add("the driver does not start again: " + e.getMessage());
        }
    }

    private static void sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Returns what all Probes together spent their time on; once this is closed. */
    String shares() {
        return shares.total();
    }

    @Override
    public void close() {
        stopped = true;
        try {
            var _ = thread.join(Duration.ofSeconds(15));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
