package dev.fairlead.bootstrap.serving.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class RepetitionTest {
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final CountDownLatch runs = new CountDownLatch(3);

    private boolean isRepeated(Runnable task) throws InterruptedException {
        try (var repetition =
                new Repetition("counting", AT_ONCE, task, Thread.ofVirtual().factory())) {
            repetition.start();
            return runs.await(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_task_is_run_again_after_it_has_thrown() throws InterruptedException {
        assertThat(isRepeated(() -> {
                    runs.countDown();
                    throw new IllegalStateException("a defect");
                }))
                .isTrue();
    }

    @Test
    void a_task_is_run_again_after_an_error_of_the_machine() throws InterruptedException {
        assertThat(isRepeated(() -> {
                    runs.countDown();
                    throw new StackOverflowError();
                }))
                .isTrue();
    }

    @Test
    void the_thread_ends_when_it_is_closed() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        var repetition = new Repetition("counting", AT_ONCE, runs::countDown, task -> {
            threads.add(Thread.ofVirtual().unstarted(task));
            return threads.getFirst();
        });
        repetition.start();
        assertThat(runs.await(20, TimeUnit.SECONDS)).isTrue();

        repetition.close();

        assertThat(threads.getFirst().join(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void a_run_that_is_under_way_has_ended_when_it_is_closed() throws InterruptedException {
        var began = new CountDownLatch(1);
        var ended = new AtomicBoolean();
        var repetition = new Repetition(
                "counting",
                AT_ONCE,
                Duration.ofMinutes(1),
                () -> {
                    began.countDown();
                    long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    ended.set(true);
                },
                Thread.ofPlatform().daemon().factory());
        repetition.start();
        assertThat(began.await(20, TimeUnit.SECONDS)).isTrue();

        repetition.close();

        assertThat(ended).isTrue();
    }

    @Test
    void several_are_ended_together_and_none_waits_for_the_end_of_another() throws InterruptedException {
        var begun = new CountDownLatch(2);
        var ended = new CountDownLatch(1);
        var last = new Repetition(
                "waiting",
                AT_ONCE,
                () -> {
                    begun.countDown();
                    try {
                        Thread.sleep(Duration.ofMinutes(1));
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                        ended.countDown();
                    }
                },
                Thread.ofPlatform().daemon().factory());
        var first = new Repetition(
                "hanging until the other ends",
                AT_ONCE,
                () -> {
                    begun.countDown();
                    while (ended.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                },
                Thread.ofPlatform().daemon().factory());
        first.start();
        last.start();
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        long before = System.nanoTime();

        Repetition.close(List.of(first, last));

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(4));
    }
}
