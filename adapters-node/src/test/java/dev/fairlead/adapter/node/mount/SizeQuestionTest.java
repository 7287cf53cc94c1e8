package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linux.ProjectQuotas;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the quota of a volume is enforced, on an XFS that has projects and, mounted without, no quotas of them. */
class SizeQuestionTest {
    @TempDir
    Path folder;

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Path file = folder.resolve("file");
        String script =
                "truncate -s 400M " + file + " && mkfs.xfs -q " + file + " && mount -o loop " + file + " " + disk;
        Process mounted = new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Assumptions.assumeTrue(mounted.waitFor() == 0, "left out: this kernel or user mounts no XFS");
    }

    @AfterEach
    void unmount() throws Exception {
        new ProcessBuilder("umount", disk.toString()).start().waitFor();
    }

    @Test
    void a_volume_of_a_pool_by_quotas_does_not_hold_its_size_without_them() throws Exception {
        Path volume = Files.createDirectory(disk.resolve("volume"));
        assertThat(SizeQuestion.ask(volume, "/v/volume")).isEmpty();
        ProjectQuotas.assign(volume, 1_000_000_007);
        assertThat(SizeQuestion.ask(volume, "/v/volume"))
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("the project quotas of its file system are off; mount its disk with prjquota"));
    }

    @Test
    void a_project_of_an_administrator_is_none_of_ours() throws Exception {
        Path volume = Files.createDirectory(disk.resolve("volume"));
        ProjectQuotas.assign(volume, 7);
        assertThat(SizeQuestion.ask(volume, "/v/volume")).isEmpty();
    }
}
