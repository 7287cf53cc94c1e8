package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopDevicesTest {
    private static final long MIB = 1L << 20;

    private final LoopDevices loops = LoopDevices.ofThisMachine();

    @TempDir
    Path folder;

    private Path image(String name, long size) throws IOException {
        Path image = folder.resolve(name);
        resize(image, size);
        return image;
    }

    private static void resize(Path image, long size) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(size);
        }
    }

    private Path attached(Path image) throws IOException {
        try {
            return loops.attach(image, image.toString());
        } catch (LinuxException e) {
            Assumptions.abort("left out: no loop device: " + e.getMessage());
            throw e;
        }
    }

    private static long sectors(Path device) throws IOException {
        Path size = Path.of("/sys/block", String.valueOf(device.getFileName()), "size");
        return Long.parseLong(Files.readString(size).strip());
    }

    @Test
    void a_file_has_one_device_which_is_found_by_any_of_its_names_and_grows_with_it() throws IOException {
        Path image = image("a", MIB);
        Path device = attached(image);
        try {
            Path other = Files.createLink(folder.resolve("b"), image);

            assertThat(loops.of(other)).contains(device);
            assertThat(loops.attach(other, other.toString())).isEqualTo(device);
            assertThat(sectors(device)).isEqualTo(MIB / 512);
            resize(image, 2 * MIB);
            loops.resize(image);
            assertThat(sectors(device)).isEqualTo(2 * MIB / 512);
        } finally {
            loops.detach(image);
        }
        assertThat(loops.of(image)).isEmpty();
        loops.detach(image);
    }

    @Test
    void two_files_have_two_devices() throws IOException {
        Path one = image("one", MIB);
        Path two = image("two", MIB);
        Path device = attached(one);
        try {
            assertThat(loops.of(two)).isEmpty();
            assertThat(attached(two)).isNotEqualTo(device);
        } finally {
            loops.detach(one);
            loops.detach(two);
        }
    }

    @Test
    void nothing_but_a_plain_file_becomes_a_device() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), image("a", MIB));

        assertThatThrownBy(() -> loops.attach(link, "link")).isInstanceOf(LinuxException.class);
        assertThatThrownBy(() -> loops.attach(folder, "folder")).isInstanceOf(LinuxException.class);
        assertThatThrownBy(() -> loops.attach(folder.resolve("none"), "none")).isInstanceOf(LinuxException.class);
        assertThat(loops.of(folder.resolve("none"))).isEmpty();
    }

    @Test
    void a_device_that_may_not_be_opened_is_known_by_the_name_of_its_file() throws IOException {
        Path image = image("a", MIB);
        Path shown = Files.createDirectories(folder.resolve("block/loop7/loop"));
        Files.writeString(shown.resolve("backing_file"), image + "\n");
        LoopDevices hidden = new LoopDevices(folder.resolve("dev"), folder.resolve("block"));

        assertThat(hidden.of(image)).isEqualTo(Optional.of(folder.resolve("dev/loop7")));
        assertThat(hidden.of(image("b", MIB))).isEmpty();
    }
}
