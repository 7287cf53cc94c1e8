package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.function.BooleanSupplier;

/**
 * Refuses further effects once its caller has stopped waiting: a kernel call that returns hours later must not change a
 * node on which the request has long been answered and perhaps undone.
 */
record WantedWork(Work work, BooleanSupplier leftBehind) implements ForwardingWork {
    @Override
    public void checkCancelled() {
        if (leftBehind.getAsBoolean()) {
            throw new StorageException(new Failure.Cancelled(what()));
        }
        work.checkCancelled();
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
