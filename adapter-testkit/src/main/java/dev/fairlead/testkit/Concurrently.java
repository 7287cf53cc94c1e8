package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Runs several actions at the same time and waits for all of them, at most 60 seconds for each. */
public final class Concurrently {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Concurrently() {}

    /** Returns what each action threw, in the order of the actions; null if it threw nothing. */
    public static List<@Nullable Throwable> outcomes(List<Runnable> actions) {
        AtomicReferenceArray<@Nullable Throwable> thrown = new AtomicReferenceArray<>(actions.size());
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < actions.size(); i++) {
            int index = i;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    start.await();
                    actions.get(index).run();
                } catch (Throwable e) {
                    thrown.set(index, e);
                }
            }));
        }
        start.countDown();
        List<@Nullable Throwable> outcomes = new ArrayList<>();
        for (int i = 0; i < threads.size(); i++) {
            join(threads.get(i));
            outcomes.add(thrown.get(i));
        }
        return outcomes;
    }

    /** Runs all of them; the first failure fails the test. */
    public static void run(List<Runnable> actions) {
        assertThat(outcomes(actions)).allSatisfy(thrown -> assertThat(thrown).isNull());
    }

    private static void join(Thread thread) {
        try {
            assertThat(thread.join(PATIENCE))
                    .as("an action is done within %s", PATIENCE)
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an action", e);
        }
    }
}
