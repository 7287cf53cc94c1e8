package dev.fairlead.adapter.node.settings;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.domain.base.VolumeBases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Holds the settings of the driver's node part.
 *
 * @param hostPathRoots the folders below which a volume's path may lie, read at each call since connections may be
 *     added and removed: the base folders of this process's connections, and those that
 *     {@code fairlead.node.hostPathRoots} names
 * @param journal the folder of the journal, on a disk of the node
 * @param threads makes platform threads, which must be daemon threads, since one that hangs in the kernel never ends
 * @param kernelCalls how many kernel calls may run or hang at once
 * @param patience how long one kernel call may take
 * @param mountFlags what the operator adds to the mount flags of every share and device
 * @param filesystems what the operator adds to the programs that make and check file systems
 * @param bases tells in which base folder of this node a volume has to be
 */
public record NodeSettings(
        Supplier<List<Path>> hostPathRoots,
        Path journal,
        ThreadFactory threads,
        int kernelCalls,
        Duration patience,
        List<String> mountFlags,
        FilesystemSettings filesystems,
        VolumeBases bases) {
    public static final int KERNEL_CALLS = 128;

    public NodeSettings {
        mountFlags = List.copyOf(mountFlags);
        if (kernelCalls < 1) {
            throw new IllegalArgumentException("kernelCalls: " + kernelCalls + " (expected: 1 or more)");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience: " + patience + " (expected: a positive time)");
        }
    }

    /** Returns settings with the usual limits. */
    public static NodeSettings of(Supplier<List<Path>> hostPathRoots, Path journal, ThreadFactory threads) {
        return new NodeSettings(
                hostPathRoots,
                journal,
                threads,
                KERNEL_CALLS,
                KernelThreads.PATIENCE,
                List.of(),
                FilesystemSettings.NONE,
                VolumeBases.NONE);
    }

    /** Returns the same settings with mount flags of the operator. */
    public NodeSettings with(List<String> flags) {
        return new NodeSettings(hostPathRoots, journal, threads, kernelCalls, patience, flags, filesystems, bases);
    }

    /** Returns the same settings with options of the operator for file systems. */
    public NodeSettings with(FilesystemSettings options) {
        return new NodeSettings(hostPathRoots, journal, threads, kernelCalls, patience, mountFlags, options, bases);
    }

    /** Returns the same settings for a node that knows in which base folders volumes are. */
    public NodeSettings with(VolumeBases known) {
        return new NodeSettings(hostPathRoots, journal, threads, kernelCalls, patience, mountFlags, filesystems, known);
    }
}
