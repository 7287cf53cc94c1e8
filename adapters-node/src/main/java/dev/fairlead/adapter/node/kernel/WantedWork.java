package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Work on a thread that may have been left behind: it refuses further effects then, since a call that comes back from
 * the kernel hours later must not change a node on which the request has long been answered and perhaps undone.
 */
record WantedWork(Work work, BooleanSupplier leftBehind) implements Work {
    @Override
    public String what() {
        return work.what();
    }

    @Override
    public String requestId() {
        return work.requestId();
    }

    @Override
    public Duration left() {
        return work.left();
    }

    @Override
    public void progress(long done, long total) {
        work.progress(done, total);
    }

    @Override
    public String progressSoFar() {
        return work.progressSoFar();
    }

    @Override
    public void checkCancelled() {
        if (leftBehind.getAsBoolean()) {
            throw new StorageException(new Failure.Cancelled(what()));
        }
        work.checkCancelled();
    }

    @Override
    public void checkEnding() {
        work.checkEnding();
    }

    @Override
    public Work finishing() {
        return new WantedWork(work.finishing(), leftBehind);
    }

    @Override
    public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
        checkCancelled();
        work.effect(effect, action);
    }
}
