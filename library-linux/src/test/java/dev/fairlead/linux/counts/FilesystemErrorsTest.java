package dev.fairlead.linux.counts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.FilesystemUuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
        "ext4_lookup, ext4_lookup",
        "__ext4_iget, __ext4_iget",
        "'pay at evil.example', ?",
        "'ext4_lookup\n2026-01-01 ERROR', ?",
        "ext4_lookup\u00ff, ?",
        "'', ?"
    })
    void the_function_of_an_error_is_told_if_it_is_a_name_and_no_other_text_of_the_image(String said, String told)
            throws IOException {
        Path device = Files.createDirectories(folder.resolve("sys/devices/loop77"));
        try (FileCalls calls = new FileCalls()) {
            Path blocks = Files.createDirectories(folder.resolve("sys/dev/block"));
            Files.createSymbolicLink(blocks.resolve(calls.stat(folder).filesystemDevice()), device);
        }
        Path facts = Files.createDirectories(folder.resolve("sys/fs/ext4/loop77"));
        Files.writeString(facts.resolve("errors_count"), "3\n");
        Files.writeString(facts.resolve("last_error_func"), said + "\n", StandardCharsets.ISO_8859_1);

        assertThat(played().of(folder))
                .contains("its ext4 has found 3 errors in itself since e2fsck checked it last, the last of them in "
                        + told);
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
    void without_a_sysfs_nobody_knows_whether_there_are_errors() {
        assertThatThrownBy(() -> played().of(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no sysfs");
    }

    @Test
    void a_folder_that_cannot_be_read_to_its_end_fails_as_what_cannot_be_read() {
        IOException broken = new IOException("Input/output error");
        DirectoryStream<Path> entries = new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                throw new DirectoryIteratorException(broken);
            }

            @Override
            public void close() {}
        };

        assertThatThrownBy(() -> FilesystemErrors.sorted(entries)).isSameAs(broken);
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
