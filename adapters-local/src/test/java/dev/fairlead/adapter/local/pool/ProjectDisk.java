package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.linux.ProjectQuotas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An XFS or ext4 with project quotas for the tests of a class, which are left out where the kernel has none. */
final class ProjectDisk implements BeforeAllCallback, AfterAllCallback {
    private static final Map<String, Boolean> MOUNTED = new ConcurrentHashMap<>();
    private static final Path MEMORY = Path.of("/dev/shm");

    private final String kind;
    private Path folder = Path.of("/nowhere");

    ProjectDisk(String kind) {
        this.kind = kind;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        folder = Files.createTempDirectory(Files.isDirectory(MEMORY) ? MEMORY : Path.of("/tmp"), kind + "-");
        Files.createDirectory(disk());
        String mkfs = kind.equals("xfs") ? "mkfs.xfs -q" : "mkfs.ext4 -q -O quota,project";
        boolean mounted = MOUNTED.getOrDefault(kind, true)
                && Mounts.loop(folder.resolve("file"), "1G", mkfs, ",prjquota", disk());
        MOUNTED.put(kind, mounted);
        assumeTrue(mounted, "left out: this kernel or user mounts no " + kind + " with prjquota");
        assertThat(ProjectQuotas.state(disk())).isEqualTo(ProjectQuotas.QuotaState.ON);
    }

    /** Mounts the same file system again, with or without its quotas. */
    void mountAgain(boolean quotas) throws IOException, InterruptedException {
        Mounts.unmount(disk());
        String options = quotas ? "loop,prjquota" : "loop";
        assertThat(Mounts.run("mount", "-o", options, folder.resolve("file").toString(), disk().toString()))
                .isTrue();
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
