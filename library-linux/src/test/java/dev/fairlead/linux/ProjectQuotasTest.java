package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.linux.ProjectQuotas.ProjectMark;
import dev.fairlead.linux.ProjectQuotas.QuotaState;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Projects where there are none; the pools of local volumes test them on XFS and ext4. */
class ProjectQuotasTest {
    @Test
    void a_file_system_in_memory_has_none() throws Exception {
        Path memory = Path.of("/dev/shm");
        Assumptions.assumeTrue(Files.isDirectory(memory), "left out: no file system in memory");

        assertThat(ProjectQuotas.filesystem(memory)).isEmpty();
        assertThat(ProjectQuotas.state(memory)).isEqualTo(QuotaState.OFF);
        assertThat(ProjectQuotas.of(memory)).isEqualTo(new ProjectMark(0, false));
    }

    @Test
    void what_is_not_there_is_told() {
        assertThatThrownBy(() -> ProjectQuotas.of(Path.of("/nowhere/at/all")))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
    }
}
