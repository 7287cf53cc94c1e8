package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.block.BlockTargets;
import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
public final class MountSandbox implements BeforeEachCallback, AfterEachCallback, AutoCloseable {
    private static final long CAP_SYS_ADMIN = 1L << 21;

    public static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon().name("kernel-", 0).factory();

    /** Runs nothing, for tests that mount by system calls alone. */
    public static final CommandRunner NO_PROGRAMS = new CommandRunner() {
        @Override
        public Ended run(Command command, Work work) {
            return Ended.with(127, "", "no program is run here");
        }

        @Override
        public void close() {}
    };

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Path base = Path.of("/nonexistent");

    /** Skips the test where this process may not mount. */
    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        Assumptions.assumeTrue(mayMount(), "left out: real mounts need root (CAP_SYS_ADMIN)");
        open();
    }

    public void open() throws IOException {
        base = Files.createTempDirectory("fairlead-mounts").toRealPath();
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        close();
    }

    public static boolean mayMount() throws IOException {
        return may(CAP_SYS_ADMIN);
    }

    /** Returns whether this process has a capability, given as its bit. */
    static boolean may(long capability) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("CapEff:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                .anyMatch(capabilities -> (capabilities & capability) != 0);
    }

    /** A new directory with one file in it, named as the directory. */
    public Path directory(String name) throws IOException {
        Path made = Files.createDirectories(base.resolve(name));
        Files.writeString(made.resolve("is-" + made.getFileName()), name);
        return made;
    }

    public Path path(String name) {
        return name.isEmpty() ? base : base.resolve(name);
    }

    /** Binds on top of whatever is there. */
    public Path mountOver(Path source, Path target) throws IOException {
        try (PathHandle from = PathHandle.of(source);
                PathHandle at = PathHandle.of(target)) {
            MountCalls.bind(from, at);
        }
        return target;
    }

    public static KernelThreads threads() {
        return threads(BlockTargets.ofThisKernel());
    }

    /** @param root the folder with {@code sys} and {@code dev} of a node that is played */
    public static KernelThreads threads(Path root) {
        return threads(new BlockTargets(new BlockTree(root.resolve("sys")), root.resolve("dev")));
    }

    private static KernelThreads threads(BlockTargets targets) {
        return new KernelThreads(THREADS, NodeSettings.KERNEL_CALLS, Duration.ofSeconds(30), targets);
    }

    public static LinuxMounter mounter() {
        return mounter(true);
    }

    /** @param newest whether by the newest calls of this kernel, or as on the oldest that is supported */
    public static LinuxMounter mounter(boolean newest) {
        return new LinuxMounter(threads(), new MountView(newest), new Binding(() -> newest), NO_PROGRAMS, PATIENCE);
    }

    /** What is mounted below, the latest last. */
    public List<MountEntry> mounts() throws IOException {
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
