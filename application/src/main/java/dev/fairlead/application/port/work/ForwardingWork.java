package dev.fairlead.application.port.work;

import java.time.Duration;

/** Forwards everything to another work, unless an implementation overrides it. */
public interface ForwardingWork extends Work {
    /** Returns the work to which it forwards. */
    Work work();

    @Override
    default String what() {
        return work().what();
    }

    @Override
    default String requestId() {
        return work().requestId();
    }

    @Override
    default Duration left() {
        return work().left();
    }

    @Override
    default void progress(long done, long total) {
        work().progress(done, total);
    }

    @Override
    default void moved(String what, long bytes, long total) {
        work().moved(what, bytes, total);
    }

    @Override
    default String progressSoFar() {
        return work().progressSoFar();
    }

    @Override
    default void checkCancelled() {
        work().checkCancelled();
    }

    @Override
    default void checkEnding() {
        work().checkEnding();
    }

    @Override
    default <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
        work().effect(effect, action);
    }
}
