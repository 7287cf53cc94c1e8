package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class YieldingThreadsTest {
    private static final ThreadFactory PLAIN = Thread.ofPlatform().factory();

    @Test
    void they_yield_to_the_other_threads_of_the_process() {
        int plain = niceOfOne(PLAIN);

        int yielding = niceOfOne(new YieldingThreads(PLAIN));

        assertThat(yielding).isEqualTo(Math.min(19, plain + 5));
        assertThat(niceOfOne(PLAIN)).isEqualTo(plain);
    }

    private static int niceOfOne(ThreadFactory threads) {
        CompletableFuture<Integer> nice = new CompletableFuture<>();
        threads.newThread(() -> nice.complete(niceOfThisThread())).start();
        return nice.join();
    }

    /** The 19th field; the second, a name, is the only one that may have spaces. */
    private static int niceOfThisThread() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
