package dev.fairlead.adapter.k8s.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Until;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever tells of something goes on at once, however the server takes events. */
@Timeout(60)
class EventQueueTest {
    private static final ThreadFactory THREADS = Thread.ofVirtual().factory();

    private final List<Integer> recorded = new CopyOnWriteArrayList<>();

    @Test
    void a_server_that_is_silent_delays_nobody_and_what_is_too_much_is_counted() throws Exception {
        CountDownLatch silence = new CountDownLatch(1);
        try (EventQueue queue = new EventQueue(THREADS)) {
            CountDownLatch begun = new CountDownLatch(1);
            queue.offer(() -> {
                begun.countDown();
                await(silence);
            });
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();

            for (int at = 0; at < EventQueue.MOST_WAITING; at++) {
                int number = at;
                assertThat(queue.offer(() -> recorded.add(number))).isTrue();
            }
            assertThat(queue.offer(() -> recorded.add(-1))).isFalse();

            assertThat(recorded).isEmpty();
            assertThat(queue.dropped()).isEqualTo(1);
            silence.countDown();
        }
        Until.holds(() -> recorded.size() >= EventQueue.MOST_WAITING);
        assertThat(recorded)
                .as("in their order, also at the end")
                .hasSize(EventQueue.MOST_WAITING)
                .isSorted();
    }

    @Test
    void what_the_server_refuses_and_what_breaks_is_counted_and_the_next_is_recorded() {
        EventQueue queue = new EventQueue(THREADS);
        queue.offer(() -> {
            throw new StorageException(new Failure.ClusterRefused("recording", "forbidden"));
        });
        queue.offer(() -> {
            throw new IllegalStateException("staged");
        });
        queue.offer(() -> recorded.add(1));
        queue.close();

        Until.holds(() -> !recorded.isEmpty());
        assertThat(recorded).containsExactly(1);
        assertThat(queue.dropped()).isEqualTo(2);
        assertThat(queue.offer(() -> recorded.add(2))).as("after the end").isFalse();
    }

    @Test
    void what_has_waited_too_long_is_dropped() throws Exception {
        AtomicLong now = new AtomicLong();
        EventQueue queue = new EventQueue(THREADS, now::get);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch silence = new CountDownLatch(1);
        queue.offer(() -> {
            begun.countDown();
            await(silence);
        });
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        queue.offer(() -> recorded.add(1));
        now.addAndGet(EventQueue.LONGEST_WAIT.toNanos() + 1);
        queue.offer(() -> recorded.add(2));
        silence.countDown();
        queue.close();

        Until.holds(() -> recorded.contains(2));
        assertThat(recorded).containsExactly(2);
        assertThat(queue.dropped()).isEqualTo(1);
    }

    @Test
    void an_end_waits_no_longer_than_a_moment_for_a_silent_server() {
        EventQueue queue = new EventQueue(THREADS);
        CountDownLatch silence = new CountDownLatch(1);
        queue.offer(() -> await(silence));
        long began = System.nanoTime();

        queue.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(EventQueue.LONGEST_WAIT.dividedBy(2));
        silence.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
