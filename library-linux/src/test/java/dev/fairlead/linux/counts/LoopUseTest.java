package dev.fairlead.linux.counts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.LoopDevices;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopUseTest {
    @TempDir
    Path blocks;

    private void device(String name, String sequence, String file) throws IOException {
        Path block = Files.createDirectories(blocks.resolve(name));
        Files.writeString(block.resolve("diskseq"), sequence + "\n");
        if (!file.isEmpty()) {
            Files.writeString(Files.createDirectories(block.resolve("loop")).resolve("backing_file"), file + "\n");
        }
    }

    @Test
    void the_folders_of_files_are_told_also_of_deleted_ones() throws IOException {
        device("loop0", "7", "/pool/v/pvc-a/disk.img");
        device("loop1", "9", "");
        device("loop2", "11", "/v/pvc-b/disk.img (deleted)");
        device("sda", "1", "");

        LoopUse use = LoopUse.now(blocks).orElseThrow();

        assertThat(use.folders()).containsExactlyInAnyOrder("pvc-a", "pvc-b");
        assertThat(use.devices()).hasSize(3).containsEntry("loop1", "9");
    }

    @Test
    void what_the_kernel_does_not_say_is_not_guessed() throws IOException {
        Files.createDirectories(blocks.resolve("loop0"));

        assertThat(LoopUse.now(blocks)).isEmpty();
        assertThat(LoopUse.now(blocks.resolve("none"))).isEmpty();
    }

    @Test
    void a_file_that_had_a_device_in_between_is_told_by_another_number() throws IOException {
        Optional<LoopUse> told = LoopUse.now();
        Assumptions.assumeTrue(told.isPresent(), "left out: this kernel tells nothing of loop devices");
        LoopUse before = told.get();
        Path image = Files.createDirectory(blocks.resolve("pvc-in-between")).resolve("disk.img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(1 << 20);
        }
        LoopDevices loops = LoopDevices.ofThisMachine();
        try {
            loops.attach(image, image.toString());
        } catch (LinuxException e) {
            Assumptions.abort("left out: no loop device: " + e.getMessage());
        }
        LoopUse during = LoopUse.now().orElseThrow();
        loops.detach(image);
        LoopUse after = LoopUse.now().orElseThrow();

        assertThat(during.folders()).contains("pvc-in-between");
        assertThat(during.devices()).isNotEqualTo(before.devices());
        assertThat(after.devices()).isNotEqualTo(before.devices()).isNotEqualTo(during.devices());
        assertThat(after.folders()).doesNotContain("pvc-in-between");
    }
}
