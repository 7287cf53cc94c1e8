package dev.fairlead.linux.counts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.FilesystemUuid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What file systems have counted, on real ones, and of what no disk here does on a sysfs of the test's own. */
class FilesystemErrorsTest {
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

    /** Returns the folder of the first device in a sysfs of the test's own. */
    private Path played(Path disk) throws IOException {
        String id = FilesystemUuid.of(disk).orElseThrow().toString();
        return Files.createDirectories(
                folder.resolve("sys/fs/btrfs").resolve(id).resolve("devinfo/1"));
    }

    private FilesystemErrors played() {
        return new FilesystemErrors(folder.resolve("sys"));
    }

    @Test
    void an_ext4_tells_the_errors_that_it_has_found() throws Exception {
        Path disk = mounted("mkfs.ext4 -q");
        assertThat(FilesystemErrors.OF_KERNEL.of(disk)).isEmpty();
        FileStat stat;
        try (FileCalls calls = new FileCalls()) {
            stat = calls.stat(disk);
        }
        Path device = Path.of("/sys/dev/block", stat.filesystemDevice()).toRealPath();
        Path trigger = Path.of("/sys/fs/ext4", String.valueOf(device.getFileName()), "trigger_fs_error");
        Assumptions.assumeTrue(Files.isWritable(trigger), "left out: this kernel's ext4 makes no error on demand");

        Files.writeString(trigger, "1");

        assertThat(FilesystemErrors.OF_KERNEL.of(disk))
                .hasValueSatisfying(it -> assertThat(it)
                        .startsWith("its ext4 has found 1 errors in itself")
                        .endsWith("trigger_test_error"));
    }

    @Test
    void a_btrfs_tells_what_it_has_counted_of_its_devices() throws Exception {
        Path disk = mounted("mkfs.btrfs -q");
        assertThat(FilesystemErrors.OF_KERNEL.of(disk)).isEmpty();
        Path device = played(disk);
        Files.writeString(device.resolve("missing"), "0\n");
        Files.writeString(device.resolve("error_stats"), "write_errs 2\nread_errs 0\ncorruption_errs 10\n");
        assertThat(played().of(disk))
                .contains(
                        "device 1 of its btrfs has counted write_errs 2, corruption_errs 10 since btrfs device stats -z"
                                + " reset that last");

        Files.writeString(device.resolve("missing"), "1\n");
        assertThat(played().of(disk)).contains("device 1 of its btrfs is missing");

        Files.delete(device.resolve("missing"));
        Files.writeString(device.resolve("error_stats"), "write_errs 0\nread_errs 0\n");
        assertThat(played().of(disk)).isEmpty();
    }

    @Test
    void counts_that_cannot_be_read_are_no_proof_that_there_are_none() throws Exception {
        Path disk = mounted("mkfs.btrfs -q");
        assertThatThrownBy(() -> played().of(disk)).isInstanceOf(IOException.class);
        Files.writeString(played(disk).resolve("error_stats"), "invalid\n");
        assertThatThrownBy(() -> played().of(disk)).hasMessageContaining("invalid");
    }

    @Test
    void others_count_nothing() throws Exception {
        assertThat(FilesystemErrors.OF_KERNEL.of(mounted("mkfs.xfs -q"))).isEmpty();
        assertThat(FilesystemErrors.OF_KERNEL.of(Path.of("/proc"))).isEmpty();
    }

    @Test
    void device_numbers_are_those_of_sysfs() throws Exception {
        try (FileCalls calls = new FileCalls()) {
            assertThat(calls.stat(folder).filesystemDevice())
                    .isEqualTo(Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                            .map(line -> line.split(" ", -1))
                            .filter(line -> folder.startsWith(line[4]))
                            .reduce((a, b) -> b[4].length() >= a[4].length() ? b : a)
                            .orElseThrow()[2]);
        }
    }
}
