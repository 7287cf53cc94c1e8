package dev.fairlead.adapter.node.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.fake.TestWork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PathRetryTest {
    private static final Duration ROUND = Duration.ofMillis(5);

    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private Thread thread(Runnable action) {
        Thread thread = Thread.ofPlatform().daemon().unstarted(action);
        threads.add(thread);
        return thread;
    }

    private void joined() throws InterruptedException {
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void what_is_missing_is_tried_until_it_is_there_and_the_thread_ends_then() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        PathRetry retry = new PathRetry((_, _) -> attempts.incrementAndGet() < 3, this::thread, ROUND);

        retry.keep("target a", TestWork.patient());
        retry.keep("target a", TestWork.patient());
        joined();

        assertThat(attempts).hasValue(3);
        assertThat(threads).hasSize(1);
        retry.keep("target a", TestWork.patient());
        joined();
        assertThat(attempts).hasValue(4);
    }

    static Stream<Throwable> defects() {
        return Stream.of(new IllegalStateException("it hangs"), new StackOverflowError("a defect"));
    }

    @ParameterizedTest
    @MethodSource("defects")
    void an_attempt_that_fails_hinders_neither_others_nor_the_next_one(Throwable defect) throws InterruptedException {
        BlockingQueue<String> tried = new ArrayBlockingQueue<>(100);
        PathRetry retry = new PathRetry(
                (name, _) -> {
                    boolean first = !tried.contains(name);
                    tried.add(name);
                    if (first && name.equals("a")) {
                        return thrown(defect);
                    }
                    return false;
                },
                this::thread,
                ROUND);

        retry.keep("a", TestWork.patient());
        retry.keep("b", TestWork.patient());
        joined();

        assertThat(tried).containsExactlyInAnyOrder("a", "a", "b");
    }

    @Test
    void what_is_forgotten_is_tried_no_more() throws InterruptedException {
        BlockingQueue<String> tried = new ArrayBlockingQueue<>(100);
        CountDownLatch forgotten = new CountDownLatch(1);
        PathRetry retry = new PathRetry((name, _) -> tried.add(name) && awaited(forgotten), this::thread, ROUND);
        retry.keep("a", TestWork.patient());
        assertThat(tried.poll(20, TimeUnit.SECONDS)).isEqualTo("a");

        retry.forget("a");
        forgotten.countDown();
        joined();

        assertThat(tried).isEmpty();
    }

    @Test
    void what_is_asked_for_during_its_last_attempt_is_tried_again() throws InterruptedException {
        BlockingQueue<String> tried = new ArrayBlockingQueue<>(100);
        CountDownLatch asked = new CountDownLatch(1);
        PathRetry retry = new PathRetry((name, _) -> !(tried.add(name) && awaited(asked)), this::thread, ROUND);
        retry.keep("a", TestWork.patient());
        assertThat(tried.poll(20, TimeUnit.SECONDS)).isEqualTo("a");

        retry.keep("a", TestWork.patient());
        asked.countDown();
        joined();

        assertThat(tried).containsExactly("a");
    }

    private static boolean thrown(Throwable defect) {
        if (defect instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) defect;
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
