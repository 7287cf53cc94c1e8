package dev.fairlead.http;

import java.time.Duration;
import java.util.Optional;

/**
 * What an answer means to the adapter whose server gave it.
 *
 * @param <A> what the adapter's callers get
 */
public sealed interface Verdict<A> {
    /**
     * The server answered for good, be it by a refusal.
     *
     * @param inShort for the debug log
     */
    record Final<A>(A answer, String inShort) implements Verdict<A> {}

    /**
     * Another time it may be different.
     *
     * @param surelyNotDone whether the server certainly did nothing, so that any request may be sent again
     * @param after how long the server asks to be left alone
     */
    record Passing<A>(String detail, boolean surelyNotDone, Optional<Duration> after) implements Verdict<A> {}

    /** It is not the server's API that answered. */
    record Unintelligible<A>(String detail) implements Verdict<A> {}
}
