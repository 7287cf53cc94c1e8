package dev.fairlead.testkit.fake;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that goes on only when it is told, or by a fixed step at each look. Safe for several threads. */
public final class SteppingClock implements InstantSource {
    public static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final Duration step;

    private SteppingClock(Duration step) {
        this.step = step;
    }

    /** A clock that stands until it is told otherwise. */
    public static SteppingClock standing() {
        return new SteppingClock(Duration.ZERO);
    }

    /** A clock that goes on by this much after each look. */
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
