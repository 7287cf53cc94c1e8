package dev.fairlead.bootstrap.folder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Problem;
import dev.fairlead.domain.connection.ConnectionName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderWatchTest {
    @TempDir
    Path folder;

    @TempDir
    Path elsewhere;

    @Test
    void the_watch_goes_on_after_an_error_of_the_program() throws Exception {
        var listener = new FailingTwice();
        try (var watch = new FolderWatch(
                new ConnectionFolder(folder, listener, Instant::now, Duration.ZERO),
                Thread.ofPlatform().daemon().factory(),
                Duration.ofMillis(5),
                Duration.ofMillis(1))) {
            watch.start();
            assertThat(watch.awaitFirstLook(Duration.ofSeconds(20))).isTrue();

            Files.move(Files.writeString(elsewhere.resolve("a.yaml"), "1"), folder.resolve("a.yaml"));

            assertThat(listener.changed.poll(20, TimeUnit.SECONDS)).isEqualTo("a 1");
        }
    }

    @Test
    void the_folder_is_looked_into_even_if_it_can_never_be_followed() throws Exception {
        var listener = new FailingTwice();
        try (var watch = new FolderWatch(
                new ConnectionFolder(folder, listener, Instant::now, Duration.ZERO),
                _ -> {
                    throw new OutOfMemoryError("unable to create native thread (played)");
                },
                Thread.ofPlatform().daemon().factory(),
                Duration.ofMillis(5),
                Duration.ofMillis(1))) {
            watch.start();
            assertThat(watch.awaitFirstLook(Duration.ofSeconds(20))).isTrue();

            Files.move(Files.writeString(elsewhere.resolve("a.yaml"), "1"), folder.resolve("a.yaml"));

            assertThat(listener.changed.poll(20, TimeUnit.SECONDS)).isEqualTo("a 1");
        }
    }

    /** Throws an error that no handler of single errors would list, at the first two looks. */
    private static final class FailingTwice implements ConnectionListener {
        private final AtomicInteger looks = new AtomicInteger();
        private final LinkedBlockingQueue<String> changed = new LinkedBlockingQueue<>();

        @Override
        public void changed(ConnectionName name, byte[] content) {
            changed.add(name + " " + new String(content, StandardCharsets.UTF_8));
        }

        @Override
        public void unreadable(ConnectionName name, Problem problem) {}

        @Override
        public void removed(ConnectionName name) {}

        @Override
        public void looked() {
            if (looks.incrementAndGet() <= 2) {
                throw new AssertionError("played");
            }
        }

        @Override
        public void folder(List<Problem> problems) {}
    }
}
