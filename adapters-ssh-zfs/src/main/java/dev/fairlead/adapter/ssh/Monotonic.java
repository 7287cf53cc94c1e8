package dev.fairlead.adapter.ssh;

import java.time.Instant;
import java.time.InstantSource;

/** Time that only passes: whatever the system's clock is set to, and from an arbitrary beginning. */
final class Monotonic implements InstantSource {
    private final long start = System.nanoTime();

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(System.nanoTime() - start);
    }
}
