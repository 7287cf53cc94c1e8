package dev.fairlead.lab.abuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FootprintTest {
    /** Longer than a fast machine takes to empty a trash. */
    private static final Duration SLOW = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private Path deleted;
    private Footprint footprint;

    @BeforeEach
    void deleteSomething() throws IOException {
        Path base = folder.resolve("base");
        deleted = Files.createDirectories(base.resolve(".fairlead/trash/5f2c"));
        Files.createDirectories(base.resolve(".fairlead/partial"));
        footprint = new Footprint(List.of(base), folder);
    }

    @Test
    void what_is_only_on_its_way_out_does_not_belong_there() throws Exception {
        CompletableFuture<Void> emptied = CompletableFuture.runAsync(
                this::delete, CompletableFuture.delayedExecutor(SLOW.toMillis(), TimeUnit.MILLISECONDS));

        var before = footprint.settled(Duration.ofSeconds(50));

        emptied.join();
        assertThat(before).isEqualTo(footprint.now()).anyMatch(path -> path.endsWith("/.fairlead/trash"));
    }

    private void delete() {
        try {
            Files.delete(deleted);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_never_goes_is_told() {
        assertThatThrownBy(() -> footprint.settled(Duration.ofMillis(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(deleted.toString());
    }
}
