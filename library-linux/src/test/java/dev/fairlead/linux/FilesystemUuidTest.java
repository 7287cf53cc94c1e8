package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilesystemUuidTest {
    private static final UUID MADE = UUID.fromString("0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9");

    @TempDir
    Path folder;

    @AfterEach
    void unmount() throws Exception {
        new ProcessBuilder("umount", folder.resolve("disk").toString()).start().waitFor();
    }

    private Path mounted(String mkfs) throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Path file = folder.resolve("disk.raw");
        String script = "truncate -s 320M " + file + " && " + mkfs + " " + file + " >/dev/null 2>&1 && mount -o loop "
                + file + " " + disk;
        Assumptions.assumeTrue(
                new ProcessBuilder("sh", "-c", script).start().waitFor() == 0, "left out: nothing is mounted here");
        return disk;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkfs.ext4 -q -U 0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9",
                "mkfs.xfs -q -m uuid=0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9",
                "mkfs.btrfs -q -U 0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9"
            })
    void a_file_system_is_known_by_what_it_was_made_with_whichever_call_the_kernel_has(String mkfs) throws Exception {
        Path disk = mounted(mkfs);
        Path below = Files.createDirectory(disk.resolve("below"));

        assertThat(FilesystemUuid.of(below)).contains(MADE);
        assertThat(FilesystemUuid.asBefore(below)).contains(MADE);
    }

    @Test
    void a_file_system_without_one_has_none_and_a_folder_that_is_not_there_is_an_error() throws Exception {
        assertThat(FilesystemUuid.of(Path.of("/proc"))).isEmpty();
        assertThatThrownBy(() -> FilesystemUuid.of(folder.resolve("nothing"))).isInstanceOf(LinuxException.class);
    }
}
