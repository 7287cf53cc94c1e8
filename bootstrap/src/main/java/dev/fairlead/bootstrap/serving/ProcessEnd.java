package dev.fairlead.bootstrap.serving;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Tells long work of this process when it is to stop, because the process is about to end. */
final class ProcessEnd {
    /**
     * The time before the process's end at which work stops that could not finish by then, so that its callers get an
     * answer.
     */
    static final Duration STOPPING = Duration.ofSeconds(10);

    private final InstantSource clock;
    private volatile Optional<Instant> stop = Optional.empty();

    ProcessEnd(InstantSource clock) {
        this.clock = clock;
    }

    /** @param within the longest time until the process ends */
    void begin(Duration within) {
        Duration left = within.minus(STOPPING);
        stop = Optional.of(clock.instant().plus(left.isNegative() ? Duration.ZERO : left));
    }

    /** Returns whether work that begins anew with a repeated call is to stop now. */
    boolean stopsWork() {
        return stop.filter(at -> !clock.instant().isBefore(at)).isPresent();
    }
}
