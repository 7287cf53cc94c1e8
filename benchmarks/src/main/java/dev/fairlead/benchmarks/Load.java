package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Repeats an operation from a number of callers at once. */
final class Load {
    private Load() {}

    /** Runs one operation; no index is used twice in a run. */
    @FunctionalInterface
    interface Operation {
        void run(int index) throws Exception;
    }

    /** Runs {@code count} operations, each caller taking the next index as soon as it is free. */
    static Sample run(int callers, int count, Operation operation) throws InterruptedException {
        long[] nanos = new long[count];
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < callers; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int index = next.getAndIncrement(); index < count; index = next.getAndIncrement()) {
                    long begin = System.nanoTime();
                    try {
                        operation.run(index);
                    } catch (Exception e) {
                        failure.compareAndSet(null, e);
                        return;
                    }
                    nanos[index] = System.nanoTime() - begin;
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long elapsed = System.nanoTime() - start;
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("an operation failed: " + failed.getMessage(), failed);
        }
        return Sample.of(nanos, elapsed);
    }
}
