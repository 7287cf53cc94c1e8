package dev.fairlead.application.port.work;

import java.time.Instant;
import java.time.InstantSource;

/** Counts from the moment of its creation, so that setting the system's clock ends no deadline early. */
public final class MonotonicClock implements InstantSource {
    private final Instant start = InstantSource.system().instant();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
