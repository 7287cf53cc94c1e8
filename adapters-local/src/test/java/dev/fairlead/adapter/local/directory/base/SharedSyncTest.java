package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.testkit.Concurrently;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedSyncTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    @Test
    void many_callers_come_back() {
        SharedSync sync = new SharedSync(List.of(folder));

        Concurrently.run(Collections.nCopies(16, () -> {
            for (int i = 0; i < 20; i++) {
                assertThatCode(sync::sync).doesNotThrowAnyException();
            }
        }));
    }

    @Test
    void a_failure_is_told_to_all_and_is_not_the_end() {
        SharedSync sync = new SharedSync(List.of(folder.resolve("absent")));

        Concurrently.run(Collections.nCopies(16, () -> {
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(sync::sync)
                        .isInstanceOf(IOException.class)
                        .hasCauseInstanceOf(NoSuchFileException.class);
            }
        }));
    }
}
