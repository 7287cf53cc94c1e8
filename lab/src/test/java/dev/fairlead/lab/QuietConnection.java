package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;

/**
 * A connection that nobody makes busy, and how long its calls take: the 99th percentile of CreateVolume, in
 * milliseconds, alone and beside what holds others up.
 */
final class QuietConnection {
    private static final String NAME = "quiet";
    private static final int CALLS = 300;

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
        double most = Math.min(1000, Math.max(5 * alone, alone + 100));
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
        for (int i = 0; i < CALLS; i++) {
            String name = "quiet-" + calls++;
            long begin = System.nanoTime();
            String id = client.create(name, Map.of("connection", NAME)).getVolumeId();
            millis[i] = (System.nanoTime() - begin) / 1e6;
            client.delete(id);
        }
        Arrays.sort(millis);
        return millis[CALLS * 99 / 100];
    }
}
