package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.adapter.local.host.ThisMachineModule;
import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.dataset.ToolDatasets;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A pool of ZFS in a file for the tests of a class, which are left out where the kernel has no ZFS. */
final class ZfsDisk implements BeforeAllCallback, AfterAllCallback {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long SIZE = 1L << 30;

    private Path folder = Path.of("/nowhere");
    private int places;

    /** Returns the datasets of this machine. */
    Datasets datasets() {
        return new ToolDatasets(
                ThisMachineModule.programs(Thread.ofPlatform().daemon().factory(), ToolSettings.USUAL),
                (_, what, _, _) -> TestWork.named(what),
                Path.of("/proc/self/mountinfo"));
    }

    private String pool() {
        return String.valueOf(folder.getFileName());
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        folder = Files.createTempDirectory(Files.isDirectory(MEMORY) ? MEMORY : Path.of("/tmp"), "fairlead");
        Path file = folder.resolve("file");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(SIZE);
        }
        boolean made = Files.isExecutable(Path.of("/usr/sbin/zpool"))
                && Mounts.run("zpool", "create", "-m", disk().toString(), pool(), file.toString());
        assumeTrue(made, "left out: this kernel or user makes no pool of ZFS");
    }

    Path disk() {
        return folder.resolve("disk");
    }

    /** Returns a new folder, on a dataset of its own. */
    Path place() throws IOException {
        places++;
        try {
            assertThat(Mounts.run("zfs", "create", dataset())).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        return disk().resolve("test-" + places);
    }

    /** Returns the name of the dataset of the last place. */
    String dataset() {
        return pool() + "/test-" + places;
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (Files.isDirectory(disk())) {
            assertThat(Mounts.run("zpool", "destroy", "-f", pool())).isTrue();
        }
        Files.deleteIfExists(folder.resolve("file"));
        Files.deleteIfExists(disk());
        Files.deleteIfExists(folder);
    }
}
