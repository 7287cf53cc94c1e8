package dev.fairlead.bootstrap.serving;

import java.time.Instant;
import java.time.InstantSource;

/** Counts from the moment of its making, so that setting the system's clock ends no deadline early. */
final class MonotonicClock implements InstantSource {
    private final Instant start = InstantSource.system().instant();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
