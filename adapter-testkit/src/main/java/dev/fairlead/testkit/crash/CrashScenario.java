package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.work.Work;
import java.util.function.Consumer;

/**
 * A scenario is one call, and what exists before it.
 *
 * @param given prepares the world through a subject, undisturbed
 * @param call the call under test; what it answers is compared by {@code equals}, so times must not be in it
 * @param makes whether the call makes something, so that a final failure must leave nothing behind
 */
public record CrashScenario<S>(String name, Consumer<S> given, Call<S> call, boolean makes) {
    /** Makes the call under test. */
    @FunctionalInterface
    public interface Call<S> {
        Object run(S subject, Work work);
    }

    /** Returns a scenario of a call that makes something: after a final failure, nothing new may exist. */
    public static <S> CrashScenario<S> making(String name, Consumer<S> given, Call<S> call) {
        return new CrashScenario<>(name, given, call, true);
    }

    /** Returns a scenario of a call that changes or removes what exists. */
    public static <S> CrashScenario<S> changing(String name, Consumer<S> given, Call<S> call) {
        return new CrashScenario<>(name, given, call, false);
    }
}
