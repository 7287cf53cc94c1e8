package dev.fairlead.adapter.local.node;

import dev.fairlead.adapter.local.linux.MountCalls;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Assumptions;

/** A folder for real mounts that takes all of them off when it is closed, whatever the test did. */
final class MountSandbox implements AutoCloseable {
    private static final long CAP_SYS_ADMIN = 1L << 21;

    static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon().name("kernel-", 0).factory();

    private final Path base;

    /** Skips the test where this process may not mount. */
    MountSandbox(Path directory) throws IOException {
        Assumptions.assumeTrue(mayMount(), "left out: real mounts need root (CAP_SYS_ADMIN)");
        this.base = directory.toRealPath();
    }

    static boolean mayMount() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("CapEff:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                .anyMatch(capabilities -> (capabilities & CAP_SYS_ADMIN) != 0);
    }

    /** A new directory with one file in it, named as the directory. */
    Path directory(String name) throws IOException {
        Path made = Files.createDirectories(base.resolve(name));
        Files.writeString(made.resolve("is-" + made.getFileName()), name);
        return made;
    }

    Path path(String name) {
        return base.resolve(name);
    }

    static NodeSettings settings(Path... roots) {
        return NodeSettings.of(() -> List.of(roots), THREADS);
    }

    static LinuxMounter mounter() {
        return mounter(true);
    }

    /** @param newest whether by the newest calls of this kernel, or as on the oldest that is supported */
    static LinuxMounter mounter(boolean newest) {
        return new LinuxMounter(new KernelThreads(settings()), new MountView(newest), new Binding(() -> newest));
    }

    /** What is mounted below, the latest last. */
    List<MountEntry> mounts() throws IOException {
        return MountTable.read().stream()
                .filter(entry -> MountTable.holds(base.toString(), entry.mountPoint()))
                .toList();
    }

    @Override
    public void close() throws IOException {
        for (MountEntry entry : mounts().reversed()) {
            MountCalls.unmount(Path.of(entry.mountPoint()));
        }
    }
}
