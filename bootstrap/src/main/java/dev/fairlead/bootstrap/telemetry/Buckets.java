package dev.fairlead.bootstrap.telemetry;

import java.time.Duration;
import java.util.stream.LongStream;

/** Makes the upper bounds of a histogram. */
final class Buckets {
    private Buckets() {}

    static Duration[] ofMillis(long... bounds) {
        return LongStream.of(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }
}
