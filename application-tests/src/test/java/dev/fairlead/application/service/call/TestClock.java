package dev.fairlead.application.service.call;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands until it is told to go on. */
public final class TestClock implements InstantSource {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));

    public void advance(Duration by) {
        now.updateAndGet(instant -> instant.plus(by));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    public RunningWork work(String what) {
        return RunningWork.begin("r-1", what, Optional.empty(), () -> false, () -> false, this, Telemetry.NONE);
    }
}
