package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.linux.BtrfsCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A btrfs of its own for the tests of a class, which are left out where none can be mounted. */
final class BtrfsDisk implements BeforeAllCallback, AfterAllCallback {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final String size;
    private Path folder = Path.of("/nowhere");

    BtrfsDisk(String size) {
        this.size = size;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        folder = Files.createTempDirectory(Files.isDirectory(MEMORY) ? MEMORY : Path.of("/tmp"), "btrfs-");
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Mounts.assumeLoop(folder.resolve("file"), size, "mkfs.btrfs -q", disk);
        BtrfsCalls.enableQuotas(disk);
    }

    Path disk() {
        return folder.resolve("disk");
    }

    /** Returns a new folder. */
    Path place() throws IOException {
        return Files.createTempDirectory(disk(), "test-");
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        Mounts.unmount(disk());
        Files.deleteIfExists(folder.resolve("file"));
        Files.deleteIfExists(disk());
        Files.deleteIfExists(folder);
    }
}
