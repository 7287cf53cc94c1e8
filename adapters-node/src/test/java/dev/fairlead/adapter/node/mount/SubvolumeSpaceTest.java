package dev.fairlead.adapter.node.mount;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.MountCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The space of a volume that is a subvolume of btrfs with a limit. */
class SubvolumeSpaceTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Path file = folder.resolve("file");
        String script =
                "truncate -s 300M " + file + " && mkfs.btrfs -q " + file + " && mount -o loop " + file + " " + disk;
        Process mounted = new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Assumptions.assumeTrue(mounted.waitFor() == 0, "left out: this kernel or user mounts no btrfs");
    }

    @AfterEach
    void unmount() throws Exception {
        new ProcessBuilder("umount", disk.toString()).start().waitFor();
    }

    private static long bytes(long blocks, MountCalls.Space space) {
        return blocks * space.unit();
    }

    @Test
    void it_is_that_of_the_limit_and_not_of_the_file_system() throws Exception {
        BtrfsCalls.enableQuotas(disk);
        BtrfsCalls.makeSubvolume(disk, "volume");
        Path volume = disk.resolve("volume");
        BtrfsCalls.limit(volume, 20 * MIB);
        Files.write(volume.resolve("data"), new byte[(int) (5 * MIB)]);
        BtrfsCalls.sync(disk);

        MountCalls.Space space = SpaceQuestion.OF_KERNEL.ask(volume);
        assertThat(bytes(space.blocks(), space)).isEqualTo(20 * MIB);
        assertThat(bytes(space.freeBlocks(), space)).isBetween(14 * MIB, 15 * MIB);
        assertThat(space.availableBlocks()).isEqualTo(space.freeBlocks());
        assertThat(SpaceQuestion.OF_KERNEL.ask(Files.createDirectory(volume.resolve("below"))))
                .isEqualTo(space);
    }

    @Test
    void without_a_limit_it_is_that_of_the_file_system() throws Exception {
        BtrfsCalls.enableQuotas(disk);
        BtrfsCalls.makeSubvolume(disk, "volume");

        MountCalls.Space space = SpaceQuestion.OF_KERNEL.ask(disk.resolve("volume"));
        assertThat(bytes(space.blocks(), space)).isEqualTo(300 * MIB);
    }
}
