package dev.fairlead.adapter.node.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of which nobody can tell for a while where they are, such as while a process can open no more files. */
class UnknownPlacesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicReference<Runnable> reading = new AtomicReference<>(() -> {});
    private final KernelThreads threads = new KernelThreads(
            Thread.ofPlatform().daemon().factory(),
            16,
            PATIENCE,
            (path, _) -> {
                reading.get().run();
                return Optional.of(path);
            },
            List::of);

    @AfterEach
    void let_everything_go() {
        release.countDown();
    }

    @Test
    void a_call_succeeds_and_the_one_that_waits_for_it_is_let_in() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        FutureTask<Boolean> first = begun("/a", end);
        FutureTask<Boolean> second = waiting("/a");
        var _ = begun("/b", release);
        var _ = begun("/c", release);

        reading.set(UnknownPlacesTest::fail);
        end.countDown();

        assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_call_that_waits_is_let_in_though_an_error_ends_the_one_before() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        FutureTask<Boolean> first = begun("/a", end);
        FutureTask<Boolean> second = waiting("/a");
        var _ = begun("/b", release);
        var _ = begun("/c", release);

        reading.set(() -> {
            reading.set(() -> {});
            throw new LinkageError("once");
        });
        end.countDown();

        assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("once");
        assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_call_that_is_left_behind_says_so_and_the_one_that_waits_for_it_is_refused() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        FutureTask<Boolean> second = new FutureTask<>(() -> call("/a", PATIENCE, new CountDownLatch(0)));
        FutureTask<Boolean> first = new FutureTask<>(
                () -> threads.call("first", Path.of("/a"), Duration.ofSeconds(2), TestWork.patient(), _ -> {
                    inside.countDown();
                    return await(release);
                }));
        Thread.ofPlatform().daemon().start(first);
        inside.await();
        Thread.ofPlatform().daemon().start(second);

        reading.set(UnknownPlacesTest::fail);

        assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS))
                .hasMessageContaining("the kernel has not answered within 2000 ms");
        assertThatThrownBy(() -> second.get(30, TimeUnit.SECONDS))
                .hasMessageContaining("an earlier call (first) still hangs");
    }

    @Test
    void a_call_that_is_left_behind_counts_where_it_was_found_before() throws Exception {
        var _ = begun("/b", release);
        var _ = begun("/c", release);
        CountDownLatch inside = new CountDownLatch(1);
        FutureTask<Boolean> dead = new FutureTask<>(
                () -> threads.call("dead", Path.of("/a"), Duration.ofSeconds(2), TestWork.patient(), _ -> {
                    inside.countDown();
                    return await(release);
                }));
        Thread.ofPlatform().daemon().start(dead);
        inside.await();

        reading.set(UnknownPlacesTest::fail);

        assertThatThrownBy(() -> dead.get(30, TimeUnit.SECONDS)).hasMessageContaining("the kernel has not answered");
        assertThat(threads.hanging()).containsEntry("unknown", Map.of("change", 1));
    }

    private static void fail() {
        throw KernelThreads.fault("reading /sys", "too many open files");
    }

    private FutureTask<Boolean> begun(String path, CountDownLatch end) throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        FutureTask<Boolean> call =
                new FutureTask<>(() -> threads.call("call", Path.of(path), PATIENCE, TestWork.patient(), _ -> {
                    inside.countDown();
                    return await(end);
                }));
        Thread.ofPlatform().daemon().start(call);
        inside.await();
        return call;
    }

    private FutureTask<Boolean> waiting(String path) {
        FutureTask<Boolean> call = new FutureTask<>(() -> call(path, PATIENCE, new CountDownLatch(0)));
        Thread thread = Thread.ofPlatform().daemon().start(call);
        Until.holds(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return call;
    }

    private boolean call(String path, Duration patience, CountDownLatch end) {
        return threads.call("call", Path.of(path), patience, TestWork.patient(), _ -> await(end));
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
