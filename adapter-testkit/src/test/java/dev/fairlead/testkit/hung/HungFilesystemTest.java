package dev.fairlead.testkit.hung;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HungFilesystemTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @BeforeEach
    void only_where_it_can_be() {
        HungFilesystem.obstacle().ifPresent(why -> Assumptions.abort("left out: " + why));
    }

    @Test
    void a_call_below_it_hangs_until_it_is_released() throws Exception {
        Files.createFile(folder.resolve("file"));
        FutureTask<BasicFileAttributes> call;
        try (HungFilesystem hung = HungFilesystem.mountAt(folder)) {
            call = start(folder.resolve("file"));
            assertThat(hung.awaitHang(SOON)).isTrue();

            assertThatThrownBy(() -> call.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            hung.release();
        }

        assertThatThrownBy(() -> call.get(SOON.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IOException.class);
        assertThat(folder.resolve("file")).as("what it was mounted over").exists();
    }

    @Test
    void its_root_can_be_looked_at() throws Exception {
        try (HungFilesystem hung = HungFilesystem.mountAt(folder)) {
            assertThat(start(folder).get(SOON.toSeconds(), TimeUnit.SECONDS).isDirectory())
                    .isTrue();
            assertThat(hung.swallowed()).isZero();
        }
    }

    private static FutureTask<BasicFileAttributes> start(Path path) {
        FutureTask<BasicFileAttributes> call =
                new FutureTask<>(() -> Files.readAttributes(path, BasicFileAttributes.class));
        Thread.ofPlatform().daemon().start(call);
        return call;
    }
}
