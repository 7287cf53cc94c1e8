package dev.fairlead.http;

import java.time.Duration;
import java.util.Optional;

/**
 * Says what an answer means to the adapter whose server gave it.
 *
 * @param <A> the type of what the adapter's callers get
 */
public sealed interface Verdict<A> {
    /**
     * The answer is final, be it a refusal.
     *
     * @param inShort the answer in short, for the debug log
     */
    record Final<A>(A answer, String inShort) implements Verdict<A> {}

    /**
     * The answer may be different another time.
     *
     * @param surelyNotDone whether the server certainly did nothing, so that any request may be sent again
     * @param after the time for which the server asks not to be called
     */
    record Passing<A>(String detail, boolean surelyNotDone, Optional<Duration> after) implements Verdict<A> {}

    /** The answer does not come from the server's API. */
    record Unintelligible<A>(String detail) implements Verdict<A> {}
}
