package dev.fairlead.adapter.local.directory.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSyncTest {
    @Test
    void a_file_system_is_not_synced_by_a_process_that_ends(@TempDir Path folder) {
        TestWork work = TestWork.patient().endingWhen(() -> true);

        assertThatThrownBy(() -> FolderSync.syncAll(work, folder)).isInstanceOf(StorageException.class);

        assertThat(work.effects()).isEmpty();
    }
}
