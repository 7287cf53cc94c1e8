package dev.fairlead.application.service.connection;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Keeps one version of a connection open until it is closed: a call ends on the version that it began with. */
public final class ConnectionUse implements AutoCloseable {
    private final Backend backend;
    private final Lane lane;
    private final Runnable giveBack;

    ConnectionUse(Backend backend, Lane lane, Runnable giveBack) {
        this.backend = backend;
        this.lane = lane;
        this.giveBack = giveBack;
    }

    public Backend backend() {
        return backend;
    }

    public ConnectionName name() {
        return backend.name();
    }

    /** Asks the storage; see {@link Lane#read}. */
    public <T> T read(Work work, String what, Function<Backend, T> action) {
        return lane.read(work, what, () -> action.apply(backend));
    }

    /** Asks the storage without waiting; see {@link Lane#ask}. */
    <T> Lane.Question<T> ask(Work work, String what, Function<Backend, T> action) {
        return lane.ask(work, what, () -> action.apply(backend));
    }

    /** Returns whether an earlier question is still unanswered; see {@link Lane#isSilent}. */
    boolean isSilent() {
        return lane.isSilent();
    }

    /** Changes the storage by work that counts as this connection's; see {@link Lane#change}. */
    public <T> T change(Work work, String what, BiFunction<Backend, Work, T> action) {
        return lane.change(work, what, () -> action.apply(backend, work.on(name())));
    }

    /** Changes the storage by work that answers nothing; see {@link Lane#change}. */
    public void run(Work work, String what, BiConsumer<Backend, Work> action) {
        change(work, what, answering(action));
    }

    /** Starts a change that answers nothing, and whose end is waited for later; see {@link Lane#begin}. */
    public Lane.Change<?> begin(Work work, String what, BiConsumer<Backend, Work> action) {
        return lane.begin(work, what, () -> answering(action).apply(backend, work.on(name())));
    }

    private static BiFunction<Backend, Work, Backend> answering(BiConsumer<Backend, Work> action) {
        return (backend, its) -> {
            action.accept(backend, its);
            return backend;
        };
    }

    @Override
    public void close() {
        giveBack.run();
    }
}
