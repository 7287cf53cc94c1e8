package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Stands in for a caller's work in tests: it is never cancelled unless told to be, and remembers the effects that were
 * finished.
 */
public final class TestWork implements Work {
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** The id of this work alone, as what an adapter knows of a piece of work goes by it. */
    private final String requestId = "r-test-" + NUMBERS.incrementAndGet();

    private final String what;
    private final Duration left;
    private final BooleanSupplier cancelled;
    private final BooleanSupplier ending;
    private final int mostEffects;
    private final List<Effect> effects;
    private volatile String progress = "";

    private TestWork(
            String what,
            Duration left,
            BooleanSupplier cancelled,
            BooleanSupplier ending,
            int mostEffects,
            List<Effect> effects) {
        this.what = what;
        this.left = left;
        this.cancelled = cancelled;
        this.ending = ending;
        this.mostEffects = mostEffects;
        this.effects = effects;
    }

    /** Returns work with a minute left that nobody cancels. */
    public static TestWork patient() {
        return named("a test");
    }

    public static TestWork named(String what) {
        return new TestWork(
                what, Duration.ofMinutes(1), () -> false, () -> false, Integer.MAX_VALUE, new CopyOnWriteArrayList<>());
    }

    /** Returns the same work, with this much time left and no effects yet. */
    public TestWork left(Duration duration) {
        return new TestWork(what, duration, cancelled, ending, mostEffects, new CopyOnWriteArrayList<>());
    }

    /** Returns the same work without effects, cancelled as soon as the condition holds. */
    public TestWork cancelledWhen(BooleanSupplier condition) {
        return new TestWork(what, left, condition, ending, mostEffects, new CopyOnWriteArrayList<>());
    }

    /** Returns the same work without effects, cancelled once so many effects are finished. */
    public TestWork cancelledAfter(int finished) {
        return new TestWork(what, left, cancelled, ending, finished, new CopyOnWriteArrayList<>());
    }

    /** Returns the same work in a process that is about to end as soon as the condition holds. */
    public TestWork endingWhen(BooleanSupplier condition) {
        return new TestWork(what, left, cancelled, condition, mostEffects, new CopyOnWriteArrayList<>());
    }

    /** Returns the effects that were finished, in their order. */
    public List<Effect> effects() {
        return List.copyOf(effects);
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public String requestId() {
        return requestId;
    }

    @Override
    public Duration left() {
        return left;
    }

    @Override
    public void progress(long done, long total) {
        progress = done + " of " + total;
    }

    @Override
    public void moved(String what, long bytes, long total) {
        progress = what + ": " + bytes + " of " + total;
    }

    @Override
    public String progressSoFar() {
        return progress;
    }

    @Override
    public void checkCancelled() {
        if (cancelled.getAsBoolean() || effects.size() >= mostEffects) {
            throw new StorageException(new Failure.Cancelled(what));
        }
    }

    @Override
    public void checkEnding() {
        if (ending.getAsBoolean()) {
            throw new StorageException(new Failure.BackendUnavailable("", "this process ends"));
        }
    }

    /** Returns the same work, never cancelled; its effects are remembered here too. */
    @Override
    public TestWork finishing() {
        return new TestWork(what, left, () -> false, ending, Integer.MAX_VALUE, effects);
    }

    @Override
    public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
        checkCancelled();
        action.run();
        effects.add(effect);
    }
}
