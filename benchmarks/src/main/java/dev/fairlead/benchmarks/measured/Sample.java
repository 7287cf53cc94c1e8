package dev.fairlead.benchmarks.measured;

import java.util.Arrays;

/**
 * Holds what was measured for one cell of the table in one round.
 *
 * @param rate operations a second
 * @param p50 median latency in milliseconds
 * @param p99 99th percentile of the latency in milliseconds
 */
public record Sample(double rate, double p50, double p99) {
    /** Makes a sample from the nanoseconds of each operation and of the whole. */
    public static Sample of(long[] nanos, long elapsed) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return new Sample(
                sorted.length * 1e9 / elapsed,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) Math.min(sorted.length - 1L, sorted.length * 99L / 100)] / 1e6);
    }
}
