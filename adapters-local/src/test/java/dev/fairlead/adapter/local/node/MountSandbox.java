package dev.fairlead.adapter.local.node;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A folder for real mounts that takes all of them off when the test is over, whatever it did; after the test's own
 * methods, so that a contract still finds what was left behind.
 */
final class MountSandbox implements BeforeEachCallback, AfterEachCallback, AutoCloseable {
    private static final long CAP_SYS_ADMIN = 1L << 21;

    static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon().name("kernel-", 0).factory();

    private Path base = Path.of("/nonexistent");

    /** Skips the test where this process may not mount. */
    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        Assumptions.assumeTrue(mayMount(), "left out: real mounts need root (CAP_SYS_ADMIN)");
        open();
    }

    void open() throws IOException {
        base = Files.createTempDirectory("fairlead-mounts").toRealPath();
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        close();
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
        return name.isEmpty() ? base : base.resolve(name);
    }

    /** Binds on top of whatever is there. */
    Path mountOver(Path source, Path target) throws IOException {
        try (PathHandle from = PathHandle.of(source);
                PathHandle at = PathHandle.of(target)) {
            MountCalls.bind(from, at);
        }
        return target;
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

    /** Empties the folder; only what is not mounted is deleted. */
    @Override
    public void close() throws IOException {
        for (MountEntry entry : mounts().reversed()) {
            MountCalls.unmount(Path.of(entry.mountPoint()));
        }
        if (!mounts().isEmpty() || !Files.exists(base)) {
            return;
        }
        try (Stream<Path> all = Files.walk(base)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
