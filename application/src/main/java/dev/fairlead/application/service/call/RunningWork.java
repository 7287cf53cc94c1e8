package dev.fairlead.application.service.call;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the deadline, progress and effects of one call. A caller that has gone stops it at its next effect, unless it
 * is finishing.
 */
public record RunningWork(
        String requestId,
        String what,
        Optional<ConnectionName> connection,
        Optional<Instant> deadline,
        BooleanSupplier callerGone,
        BooleanSupplier ending,
        InstantSource clock,
        Telemetry telemetry,
        AtomicReference<String> progress)
        implements Work {
    /** The time that is left if the caller did not say when it gives up. */
    static final Duration FOREVER = Duration.ofDays(365);

    private static final Logger log = LoggerFactory.getLogger(RunningWork.class);

    /** Returns what begins the work of each call. */
    public static WorkFactory factory(InstantSource clock, Telemetry telemetry, BooleanSupplier ending) {
        return (requestId, what, patience, cancelled) ->
                begin(requestId, what, patience, cancelled, ending, clock, telemetry);
    }

    public static RunningWork begin(
            String requestId,
            String what,
            Optional<Duration> patience,
            BooleanSupplier cancelled,
            BooleanSupplier ending,
            InstantSource clock,
            Telemetry telemetry) {
        Optional<Instant> deadline = patience.map(clock.instant()::plus);
        BooleanSupplier callerGone = () -> cancelled.getAsBoolean()
                || deadline.map(end -> !clock.instant().isBefore(end)).orElse(false);
        return new RunningWork(
                requestId,
                what,
                Optional.empty(),
                deadline,
                callerGone,
                ending,
                clock,
                telemetry,
                new AtomicReference<>(""));
    }

    @Override
    public Duration left() {
        return deadline.map(end -> Duration.between(clock.instant(), end)).orElse(FOREVER);
    }

    @Override
    public void progress(long done, long total) {
        progress.set(total > 0 ? done + " of " + total + ", " + (long) (100.0 * done / total) + " %" : done + " done");
    }

    @Override
    public void moved(String what, long bytes, long total) {
        progress.set(what + ": " + Amount.moved(bytes, total));
    }

    @Override
    public String progressSoFar() {
        return progress.get();
    }

    @Override
    public void checkCancelled() {
        if (callerGone.getAsBoolean()) {
            throw new StorageException(new Failure.Cancelled(what));
        }
    }

    @Override
    public void checkEnding() {
        if (ending.getAsBoolean()) {
            throw new StorageException(new Failure.BackendUnavailable(
                    connection.map(ConnectionName::value).orElse(""),
                    "this process ends, and does not go on with " + what + "; a repeated call begins it anew"));
        }
    }

    @Override
    public Work finishing() {
        return new RunningWork(requestId, what, connection, deadline, () -> false, ending, clock, telemetry, progress);
    }

    @Override
    public Work on(ConnectionName of) {
        return new RunningWork(
                requestId, what, Optional.of(of), deadline, callerGone, ending, clock, telemetry, progress);
    }

    @Override
    public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
        checkCancelled();
        Instant begin = clock.instant();
        boolean succeeded = false;
        try {
            action.run();
            succeeded = true;
        } finally {
            note(effect, Duration.between(begin, clock.instant()), succeeded);
        }
    }

    private void note(Effect effect, Duration took, boolean succeeded) {
        telemetry.effect(new Telemetry.Tried(effect, connection, took, succeeded));
        log.atDebug()
                .addKeyValue("request", requestId)
                .addKeyValue("effect", effect.kind())
                .addKeyValue("target", effect.target())
                .addKeyValue("ms", took.toMillis())
                .addKeyValue("outcome", succeeded ? "done" : "failed")
                .log("effect");
    }
}
