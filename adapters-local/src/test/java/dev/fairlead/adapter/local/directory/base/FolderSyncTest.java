package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSyncTest {
    @TempDir
    Path folder = Path.of("/nowhere");

    @Test
    void a_file_system_is_not_synced_by_a_process_that_ends() {
        TestWork work = TestWork.patient().endingWhen(() -> true);

        assertThatThrownBy(() -> FolderSync.syncAll(work, folder)).isInstanceOf(StorageException.class);

        assertThat(work.effects()).isEmpty();
    }

    @Test
    void many_callers_come_back() {
        FolderSync sync = new FolderSync();
        RecordedFolders here = new RecordedFolders("volume", folder, folder, Pattern.compile("[a-z]*"));

        Concurrently.run(Collections.nCopies(16, () -> {
            for (int i = 0; i < 20; i++) {
                assertThatCode(() -> sync.sync(here, TestWork.patient())).doesNotThrowAnyException();
            }
        }));
    }

    @Test
    void a_failure_is_told_to_all_and_is_not_the_end() {
        FolderSync sync = new FolderSync();
        RecordedFolders absent = new BaseFolderLayout(folder.resolve("absent")).volumes();

        Concurrently.run(Collections.nCopies(16, () -> {
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> sync.sync(absent, TestWork.patient()))
                        .isInstanceOf(IOException.class)
                        .hasCauseInstanceOf(NoSuchFileException.class);
            }
        }));
    }
}
