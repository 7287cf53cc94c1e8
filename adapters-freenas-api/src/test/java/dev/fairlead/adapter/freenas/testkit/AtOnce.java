package dev.fairlead.adapter.freenas.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Runs callers at the same time, each by a thread of its own. The pool that is used if nothing is said has one thread
 * on a machine with two processors, so that callers would wait for one another.
 */
public final class AtOnce {
    private AtOnce() {}

    /** Begins what returns nothing. */
    public static CompletableFuture<Void> run(Runnable caller) {
        return CompletableFuture.runAsync(caller, Thread::startVirtualThread);
    }

    /** Begins what returns something. */
    public static <T> CompletableFuture<T> ask(Supplier<T> caller) {
        return CompletableFuture.supplyAsync(caller, Thread::startVirtualThread);
    }
}
