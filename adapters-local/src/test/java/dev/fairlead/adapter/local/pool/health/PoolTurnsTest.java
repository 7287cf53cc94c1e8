package dev.fairlead.adapter.local.pool.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Turns in pools of which one does not answer, or does not end what is at work there. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PoolTurnsTest {
    private final AtomicInteger begun = new AtomicInteger();
    private final DirectoryFailures failures = new DirectoryFailures(new ConnectionName("test"));

    @TempDir(factory = InMemory.class)
    Path folder;

    private DiskQuestion question(Duration most) {
        return new DiskQuestion(
                task -> {
                    begun.incrementAndGet();
                    return Thread.ofPlatform().daemon().unstarted(task);
                },
                most);
    }

    private PoolTurns turns(int concurrency, int pools) {
        return PoolTurns.of(failures, question(Duration.ofSeconds(10)), concurrency, pools);
    }

    private Path silent() throws Exception {
        Path mark = folder.resolve("bad/.fairlead/owner");
        Files.createDirectories(folder.resolve("bad/.fairlead"));
        assertThat(new ProcessBuilder(List.of("mkfifo", mark.toString()))
                        .start()
                        .waitFor())
                .isZero();
        return mark;
    }

    /** Ends what has not been answered. */
    private static void answer(Path mark) throws IOException {
        FileChannel.open(mark, StandardOpenOption.READ, StandardOpenOption.WRITE)
                .close();
    }

    private int enter(PoolTurns turns, String pool, Duration left) {
        return turns.in(pool, folder.resolve(pool), TestWork.patient().left(left), () -> 1);
    }

    private void verifyRefused(PoolTurns turns, Duration left, String why) {
        assertThatThrownBy(() -> enter(turns, "bad", left))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining(why);
    }

    @Test
    void one_thread_asks_a_pool_however_many_calls_wait_for_its_answer() throws Exception {
        PoolTurns turns = turns(32, 2);
        Path mark = silent();
        List<Thread> callers = new ArrayList<>();
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < 30; i++) {
            callers.add(Thread.ofVirtual().start(() -> {
                verifyRefused(turns, Duration.ofMillis(300), "gave no answer in the time of the call");
                refused.incrementAndGet();
            }));
        }
        for (Thread caller : callers) {
            assertThat(caller.join(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(refused).hasValue(30);
        assertThat(begun).hasValue(1);
        assertThat(enter(turns, "good", Duration.ofMinutes(1))).isEqualTo(1);

        answer(mark);
        assertThat(Files.deleteIfExists(mark)).isTrue();
        assertThat(enter(turns, "bad", Duration.ofMinutes(1))).isEqualTo(1);
    }

    @Test
    void who_comes_later_learns_sooner_that_a_pool_is_silent() throws Exception {
        PoolTurns turns = PoolTurns.of(failures, question(Duration.ofMillis(500)), 32, 2);
        Path mark = silent();
        verifyRefused(turns, Duration.ofMinutes(1), "gave no answer within");
        long since = System.nanoTime();

        for (int i = 0; i < 20; i++) {
            verifyRefused(turns, Duration.ofMinutes(1), "no answer");
        }

        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(5));
        assertThat(begun).hasValue(1);
        answer(mark);
    }

    /** They were at work on the disk as it fell silent. */
    @Test
    void calls_that_never_end_take_three_quarters_of_the_threads_and_no_more() throws Exception {
        PoolTurns turns = turns(8, 2);
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> stuck = new ArrayList<>();
        CountDownLatch at = new CountDownLatch(6);
        for (int i = 0; i < 6; i++) {
            stuck.add(Thread.ofPlatform()
                    .daemon()
                    .start(() -> turns.in("bad", folder.resolve("bad"), TestWork.patient(), () -> {
                        at.countDown();
                        return await(end);
                    })));
        }
        at.await();

        verifyRefused(turns, Duration.ofMillis(300), "all 6 calls that may be at work there at once are");
        // Who has minutes does not wait for them, on a thread that other pools need.
        verifyRefused(turns, Duration.ofMinutes(5), "all 6 calls that may be at work there at once are");
        assertThat(enter(turns, "good", Duration.ofSeconds(20))).isEqualTo(1);

        end.countDown();
        for (Thread each : stuck) {
            assertThat(each.join(Duration.ofSeconds(20))).isTrue();
        }
        assertThat(enter(turns, "bad", Duration.ofMinutes(1))).isEqualTo(1);
    }

    private static boolean await(CountDownLatch end) {
        try {
            end.await();
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void a_turn_that_becomes_free_is_taken_and_one_of_a_call_that_failed_is_free() {
        PoolTurns turns = turns(1, 2);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> turns.in("good", folder, TestWork.patient(), () -> {
                        throw new IllegalStateException("broken");
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(enter(turns, "good", Duration.ofSeconds(20))).isEqualTo(1);
    }

    @Test
    void the_only_pool_has_all_threads() throws Exception {
        PoolTurns turns = turns(2, 1);
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch at = new CountDownLatch(1);
        Thread first = Thread.ofPlatform()
                .daemon()
                .start(() -> turns.in("bad", folder, TestWork.patient(), () -> {
                    at.countDown();
                    return await(end);
                }));
        at.await();
        assertThat(turns.in("bad", folder, TestWork.patient().left(Duration.ofSeconds(2)), () -> 1))
                .isEqualTo(1);
        end.countDown();
        assertThat(first.join(Duration.ofSeconds(20))).isTrue();
    }

    /** It finishes what a caller has begun who is gone. */
    @Test
    void work_without_time_left_is_let_in() {
        assertThat(enter(turns(8, 2), "good", Duration.ofSeconds(-3))).isEqualTo(1);
    }
}
