package dev.fairlead.adapter.grpc;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Work as a use case of these tests sees it: what it was begun with, and nothing counted. */
public record RecordedWork(String requestId, String what, Duration patience, BooleanSupplier cancelled)
        implements Work {
    @Override
    public Duration left() {
        return patience;
    }

    @Override
    public void progress(long done, long total) {}

    @Override
    public String progressSoFar() {
        return "";
    }

    @Override
    public void checkCancelled() {
        if (cancelled.getAsBoolean()) {
            throw new StorageException(new Failure.Cancelled(what));
        }
    }

    @Override
    public Work finishing() {
        return new RecordedWork(requestId, what, patience, () -> false);
    }

    @Override
    public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
        checkCancelled();
        action.run();
    }
}
