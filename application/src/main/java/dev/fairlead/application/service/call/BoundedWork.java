package dev.fairlead.application.service.call;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Gives one part of a work less time than the whole, so that what it waits for keeps neither the rest nor the locks of
 * that part for longer.
 */
public record BoundedWork(Work work, Instant end, InstantSource clock, boolean isFinishing) implements ForwardingWork {
    public static BoundedWork of(Work work, Duration longest, InstantSource clock) {
        return new BoundedWork(work, clock.instant().plus(longest), clock, false);
    }

    @Override
    public Duration left() {
        Duration own = Duration.between(clock.instant(), end);
        Duration whole = work.left();
        return own.compareTo(whole) < 0 ? own : whole;
    }

    @Override
    public void checkCancelled() {
        work.checkCancelled();
        if (!isFinishing && !clock.instant().isBefore(end)) {
            throw new StorageException(new Failure.Cancelled(what()));
        }
    }

    @Override
    public Work finishing() {
        return new BoundedWork(work.finishing(), end, clock, true);
    }

    @Override
    public Work on(ConnectionName connection) {
        return new BoundedWork(work.on(connection), end, clock, isFinishing);
    }

    @Override
    public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
        checkCancelled();
        work.effect(effect, action);
    }
}
