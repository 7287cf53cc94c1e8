package dev.fairlead.testkit.fake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** This clock advances only when it is told to, or by a fixed step at each reading. It is safe for several threads. */
public final class SteppingClock implements InstantSource {
    public static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final Duration step;

    private SteppingClock(Duration step) {
        this.step = step;
    }

    /** Returns a clock that stands still until it is advanced. */
    public static SteppingClock standing() {
        return new SteppingClock(Duration.ZERO);
    }

    /** Returns a clock that advances by this much after each reading. */
    public static SteppingClock by(Duration step) {
        return new SteppingClock(step);
    }

    public void advance(Duration duration) {
        now.updateAndGet(instant -> instant.plus(duration));
    }

    @Override
    public Instant instant() {
        return now.getAndUpdate(instant -> instant.plus(step));
    }
}
