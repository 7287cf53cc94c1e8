package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void a_device_that_may_not_be_opened_is_not_taken_for_none() throws IOException {
        Path image = image("a", MIB);
        Path shown = Files.createDirectories(folder.resolve("block/loop7/loop"));
        Files.writeString(shown.resolve("backing_file"), "/by/another/name/a\n");
        Files.createDirectories(folder.resolve("block/loop8"));

        LoopDevices hidden = new LoopDevices(folder.resolve("dev"), folder.resolve("block"), "");
        assertThatThrownBy(() -> hidden.of(image)).hasMessageContainingAll("loop7", "cannot be told", "/dev");
        assertThatThrownBy(() -> hidden.attach(image, image.toString())).hasMessageContaining("cannot be told");
        assertThatThrownBy(() -> hidden.detach(image)).hasMessageContaining("cannot be told");
    }

    @Test
    void only_devices_of_files_of_the_name_are_asked() throws IOException {
        Path image = image("disk.img", MIB);
        Path shown = Files.createDirectories(folder.resolve("block/loop7/loop"));
        LoopDevices named = new LoopDevices(folder.resolve("dev"), folder.resolve("block"), "disk.img");

        Files.writeString(shown.resolve("backing_file"), "/mnt/of/a/silent/server.img\n");
        assertThat(named.of(image)).isEmpty();
        Files.writeString(shown.resolve("backing_file"), "/v/pvc-a/disk.img (deleted)\n");
        assertThatThrownBy(() -> named.of(image)).hasMessageContaining("loop7");
    }

    @Test
    void a_device_that_was_to_go_once_it_is_closed_stays_for_a_further_user() throws IOException {
        Path image = image("a", MIB);
        Path device = attached(image);
        try {
            try (FileChannel _ = FileChannel.open(device, StandardOpenOption.READ)) {
                loops.detach(image);
                assertThat(loops.of(image)).contains(device);

                assertThat(attached(image)).isEqualTo(device);
            }
            assertThat(loops.of(image)).contains(device);
        } finally {
            loops.detach(image);
        }
        assertThat(loops.of(image)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--read-only", "--offset 4096", "--sizelimit 4096"})
    void a_device_that_shows_a_file_otherwise_is_not_used(String option) throws Exception {
        Path image = image("a", MIB);
        Process made = new ProcessBuilder("sh", "-c", "losetup --find " + option + " " + image).start();
        Assumptions.assumeTrue(made.waitFor() == 0, "left out: no loop device");
        try {
            assertThatThrownBy(() -> loops.attach(image, image.toString())).hasMessageContaining("losetup -d");
        } finally {
            loops.detach(image);
        }
    }
}
