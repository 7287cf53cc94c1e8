package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileContentTest {
    private static final Path COUNTS = Path.of("/proc/thread-self/io");

    @TempDir
    Path folder;

    @Test
    void what_the_kernel_remembers_of_a_file_is_read_from_its_disk_all_the_same() throws IOException {
        Assumptions.assumeTrue(
                Files.isReadable(COUNTS)
                        && List.of("ext4", "xfs")
                                .contains(Files.getFileStore(folder).type()),
                "left out: it is not counted here what is read from a disk");
        Path file = Files.writeString(folder.resolve("file"), "text");
        try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        assertThat(FileContent.readFromDisk(file)).isEqualTo(4);
        long before = read();

        for (int i = 0; i < 10; i++) {
            assertThat(Files.readString(file)).isEqualTo("text");
        }
        assertThat(read()).as("bytes, while the kernel remembers them").isEqualTo(before);
        for (int i = 0; i < 10; i++) {
            assertThat(FileContent.readFromDisk(file)).isEqualTo(4);
        }
        assertThat(read()).isGreaterThanOrEqualTo(before + 10 * 512);
    }

    @Test
    void a_file_that_is_not_there_is_told() {
        assertThatThrownBy(() -> FileContent.readFromDisk(folder.resolve("absent")))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
    }

    private static long read() throws IOException {
        return Files.readAllLines(COUNTS).stream()
                .filter(line -> line.startsWith("read_bytes:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring("read_bytes:".length()).strip()))
                .sum();
    }
}
