package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the effects of a call, from 1 on, and interferes with one of them. */
public final class InterferedWork implements ForwardingWork {
    private static final int NONE = 0;

    private final Interference interference;
    private final int at;
    private final boolean cancellable;
    private final State state;
    private final Work rest = TestWork.patient();

    /** Holds what is shared with the work that {@link InterferedWork#finishing} returns. */
    private record State(
            AtomicInteger count, AtomicBoolean reached, AtomicBoolean dead, AtomicBoolean gone, List<Effect> effects) {}

    private InterferedWork(Interference interference, int at, boolean cancellable, State state) {
        this.interference = interference;
        this.at = at;
        this.cancellable = cancellable;
        this.state = state;
    }

    /** Returns work that only counts its effects. */
    public static InterferedWork counting() {
        return at(NONE, Interference.LIE);
    }

    /** Returns work that interferes with this effect; the first effect is number 1. */
    public static InterferedWork at(int effect, Interference interference) {
        State state = new State(
                new AtomicInteger(),
                new AtomicBoolean(),
                new AtomicBoolean(),
                new AtomicBoolean(),
                new CopyOnWriteArrayList<>());
        return new InterferedWork(interference, effect, true, state);
    }

    /** Returns the effects that were begun, in their order. */
    public List<Effect> effects() {
        return List.copyOf(state.effects());
    }

    /** Returns whether the effect with which this work interferes was reached. */
    public boolean reached() {
        return state.reached().get();
    }

    @Override
    public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
        int number = state.count().incrementAndGet();
        if (number == at && interference == Interference.CANCELLED_BEFORE) {
            state.reached().set(true);
            state.gone().set(true);
        }
        checkCancelled();
        state.effects().add(effect);
        if (number != at || interference == Interference.CANCELLED_BEFORE) {
            action.run();
            return;
        }
        state.reached().set(true);
        switch (interference) {
            case DEATH_BEFORE -> throw die("before", effect);
            case DEATH_AFTER -> {
                action.run();
                throw die("after", effect);
            }
            case TIMEOUT_WITHOUT_EFFECT -> throw timeout(effect);
            case TIMEOUT_AFTER_EFFECT -> {
                action.run();
                throw timeout(effect);
            }
            case CANCELLED_BEFORE, LIE -> {}
        }
    }

    private ProcessDied die(String when, Effect effect) {
        state.dead().set(true);
        return new ProcessDied(when + " effect " + at + ", " + effect.kind() + " of " + effect.target());
    }

    private static StorageException timeout(Effect effect) {
        return new StorageException(new Failure.TimedOut("test", effect.kind(), Duration.ofSeconds(1)));
    }

    /**
     * Throws if the process is dead, so that it does nothing more whatever its code tries, or if the caller has gone.
     */
    @Override
    public void checkCancelled() {
        if (state.dead().get()) {
            throw new ProcessDied("and does nothing more");
        }
        if (cancellable && state.gone().get()) {
            throw new StorageException(new Failure.Cancelled(what()));
        }
    }

    @Override
    public Work finishing() {
        return new InterferedWork(interference, at, false, state);
    }

    @Override
    public Work work() {
        return rest;
    }
}
