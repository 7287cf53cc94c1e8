package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class ThreadNicenessTest {
    @Test
    void a_thread_becomes_nicer_and_the_others_stay_as_they_are() throws Exception {
        int before = ThreadNiceness.ofProcess();

        int set = onAThreadOfItsOwn(() -> {
            ThreadNiceness.set(ThreadNiceness.MOST);
            return ofThread();
        });

        assertThat(set).isEqualTo(ThreadNiceness.MOST);
        assertThat(ThreadNiceness.ofProcess()).isEqualTo(before);
        assertThat(onAThreadOfItsOwn(ThreadNicenessTest::ofThread)).isEqualTo(before);
    }

    @Test
    void threads_are_found_by_the_beginnings_of_their_names() throws Exception {
        var end = new CountDownLatch(1);
        var named = new CompletableFuture<Path>();
        Thread thread = Thread.ofPlatform().name("nice-one-1").start(() -> {
            boolean _ = named.complete(
                    Path.of("/proc").resolve(read("/proc/thread-self")).resolve("stat"));
            await(end);
        });
        Path stat = named.get();

        ThreadNiceness.setOf("nice-one", ThreadNiceness.MOST);

        assertThat(niceness(Files.readString(stat))).isEqualTo(ThreadNiceness.MOST);
        assertThat(onAThreadOfItsOwn(ThreadNicenessTest::ofThread)).isEqualTo(ThreadNiceness.ofProcess());
        end.countDown();
        thread.join();
    }

    private static Path read(String link) {
        try {
            return Files.readSymbolicLink(Path.of(link));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int niceness(String stat) {
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    private static int ofThread() throws IOException {
        return niceness(Files.readString(Path.of("/proc/thread-self/stat")));
    }

    private static <T> T onAThreadOfItsOwn(Callable<T> task) throws Exception {
        var future = new FutureTask<>(task);
        Thread _ = Thread.ofPlatform().start(future);
        return future.get();
    }
}
