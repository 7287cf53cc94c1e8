package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/**
 * A connection that nobody makes busy, and how long its calls take: the 99th percentile of CreateVolume, in
 * milliseconds, alone and beside what holds others up.
 */
final class QuietConnection {
    private static final String NAME = "quiet";
    private static final int CALLS = 300;

    /** How long one measurement takes at most: a disk that syncs in 30 ms rather than 0.3 lets fewer calls count. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /**
     * The most measurements beside the others. What holds calls up does so in each of them; a machine that has other
     * work for a moment does not.
     */
    private static final int MOST_MEASUREMENTS = 3;

    private final CsiClient client;
    private final double alone;
    private int calls;

    /** Measures it while nothing else is done; the first calls of a driver, which take longer, do not count. */
    QuietConnection(CsiClient client) {
        this.client = client;
        double warmUp = p99();
        this.alone = p99();
        assertThat(warmUp).isPositive();
    }

    /** Adds the connection to a driver that has not started yet. */
    static void addTo(DriverFixture fixture) throws IOException {
        fixture.connect(NAME, Files.createDirectories(fixture.folder().resolve(NAME)));
    }

    /** Fails if its calls take much longer than alone for as long as the others go on. */
    void assertUnharmedBeside(String others) {
        // Who waits for the others waits for copies and lists of seconds; a busy machine costs less than that.
        double most = Math.max(5 * alone, alone + 400);
        double beside = p99();
        for (int i = 1; i < MOST_MEASUREMENTS && beside > most; i++) {
            beside = Math.min(beside, p99());
        }
        System.out.printf(
                "p99 of CreateVolume: %.1f ms alone, %.1f ms beside %s (at most %.1f)%n", alone, beside, others, most);
        assertThat(beside)
                .as("p99 of CreateVolume beside %s, ms; %.1f alone", others, alone)
                .isLessThan(most);
    }

    private double p99() {
        double[] millis = new double[CALLS];
        long end = System.nanoTime() + LONGEST.toNanos();
        int measured = 0;
        while (measured < CALLS && (measured == 0 || System.nanoTime() < end)) {
            String name = "quiet-" + calls++;
            long begin = System.nanoTime();
            String id = client.create(name, Map.of("connection", NAME)).getVolumeId();
            millis[measured++] = (System.nanoTime() - begin) / 1e6;
            client.delete(id);
        }
        Arrays.sort(millis, 0, measured);
        return millis[measured * 99 / 100];
    }
}
