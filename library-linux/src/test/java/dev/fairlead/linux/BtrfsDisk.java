package dev.fairlead.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Has a btrfs of its own for each test, which is left out where none can be mounted. */
abstract class BtrfsDisk {
    static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Path file = folder.resolve("disk.raw");
        String script = "truncate -s 300M " + file + " && mkfs.btrfs -q " + file + " >/dev/null 2>&1 && mount -o loop "
                + file + " " + disk;
        Assumptions.assumeTrue(
                new ProcessBuilder("sh", "-c", script).start().waitFor() == 0,
                "left out: this kernel or user mounts no btrfs");
    }

    @AfterEach
    void unmount() throws Exception {
        new ProcessBuilder("umount", disk.toString()).start().waitFor();
    }

    Path subvolume(String name) throws IOException {
        BtrfsCalls.makeSubvolume(disk, name);
        return disk.resolve(name);
    }
}
