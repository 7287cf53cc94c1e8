package dev.fairlead.simulator.profile;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * Says how a simulated box is set up.
 *
 * @param port where it listens, by TLS and plain alike; 0 for any free one
 * @param redirects whether plain requests are sent to TLS by 307, as the box's own switch does
 * @param loopbackIsSafe whether plain text from this machine counts as safe, as on the real box; otherwise a key that
 *     comes by it is revoked
 * @param rateLimited whether logins are limited to twenty a minute
 * @param idleCut after which silence a socket is cut; nothing for the release's own time
 * @param jobDelay how long a job runs at least
 * @param volumeDelay after which time the device of a new volume is there
 * @param poolSize the bytes of the pool "tank"
 */
public record SimulatorSettings(
        int port,
        boolean redirects,
        boolean loopbackIsSafe,
        boolean rateLimited,
        Optional<Duration> idleCut,
        Duration jobDelay,
        Duration volumeDelay,
        long poolSize,
        ThreadFactory threads,
        Clock clock) {
    private static final Duration CUT_BY_NGINX = Duration.ofSeconds(60);
    private static final Duration CUT_OF_26 = Duration.ofHours(1);

    /** Returns the settings that most tests want: any port, no limits, quick jobs, and a pool of a tebibyte. */
    public static SimulatorSettings standard() {
        return new SimulatorSettings(
                0,
                false,
                false,
                false,
                Optional.empty(),
                Duration.ofMillis(5),
                Duration.ZERO,
                1L << 40,
                Thread.ofVirtual().name("simulator-", 0).factory(),
                Clock.systemUTC());
    }

    /** Returns after which silence a socket is cut. */
    public Duration idle(Profile box) {
        return idleCut.orElse(box.since(Profile.V26_BETA) ? CUT_OF_26 : CUT_BY_NGINX);
    }

    /** Sets the port. */
    public SimulatorSettings withPort(int given) {
        return new SimulatorSettings(
                given,
                redirects,
                loopbackIsSafe,
                rateLimited,
                idleCut,
                jobDelay,
                volumeDelay,
                poolSize,
                threads,
                clock);
    }

    /** Sends plain requests to TLS. */
    public SimulatorSettings redirecting() {
        return new SimulatorSettings(
                port, true, loopbackIsSafe, rateLimited, idleCut, jobDelay, volumeDelay, poolSize, threads, clock);
    }

    /** Trusts plain text from this machine, as the real box does. */
    public SimulatorSettings trustingLoopback() {
        return new SimulatorSettings(
                port, redirects, true, rateLimited, idleCut, jobDelay, volumeDelay, poolSize, threads, clock);
    }

    /** Limits the rate of logins. */
    public SimulatorSettings limited() {
        return new SimulatorSettings(
                port, redirects, loopbackIsSafe, true, idleCut, jobDelay, volumeDelay, poolSize, threads, clock);
    }

    /** Cuts sockets after a silence. */
    public SimulatorSettings withIdleCut(Duration silence) {
        return new SimulatorSettings(
                port,
                redirects,
                loopbackIsSafe,
                rateLimited,
                Optional.of(silence),
                jobDelay,
                volumeDelay,
                poolSize,
                threads,
                clock);
    }

    /** Sets how long a job runs at least. */
    public SimulatorSettings withJobDelay(Duration delay) {
        return new SimulatorSettings(
                port, redirects, loopbackIsSafe, rateLimited, idleCut, delay, volumeDelay, poolSize, threads, clock);
    }

    /** Sets after which time the device of a new volume is there. */
    public SimulatorSettings withVolumeDelay(Duration delay) {
        return new SimulatorSettings(
                port, redirects, loopbackIsSafe, rateLimited, idleCut, jobDelay, delay, poolSize, threads, clock);
    }

    /** Sets the size of a pool that is made at the first start. */
    public SimulatorSettings withPoolSize(long bytes) {
        return new SimulatorSettings(
                port, redirects, loopbackIsSafe, rateLimited, idleCut, jobDelay, volumeDelay, bytes, threads, clock);
    }
}
