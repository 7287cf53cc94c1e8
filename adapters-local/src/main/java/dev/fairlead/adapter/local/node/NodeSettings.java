package dev.fairlead.adapter.local.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Holds the settings of the driver's node part.
 *
 * @param hostPathRoots the folders below which a volume's path may lie, read at each call since connections may be
 *     added and removed: the base folders of this process's connections, and those that {@link #ROOTS_KEY} names
 * @param threads makes platform threads, which must be daemon threads, since one that hangs in the kernel never ends
 * @param kernelCalls how many kernel calls may run or hang at once
 * @param patience how long one kernel call may take
 */
public record NodeSettings(
        Supplier<List<Path>> hostPathRoots, ThreadFactory threads, int kernelCalls, Duration patience) {
    /** The key of the main file under which an operator names further folders. */
    public static final String ROOTS_KEY = "fairlead.node.hostPathRoots";

    /** The longest time for one kernel call, the same as MOUNT_DEFAULT_TIMEOUT of democratic-csi. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    public static final int KERNEL_CALLS = 64;

    public NodeSettings {
        if (kernelCalls < 1) {
            throw new IllegalArgumentException("kernelCalls: " + kernelCalls + " (expected: 1 or more)");
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("patience: " + patience + " (expected: a positive time)");
        }
    }

    /** Returns settings with the usual limits. */
    public static NodeSettings of(Supplier<List<Path>> hostPathRoots, ThreadFactory threads) {
        return new NodeSettings(hostPathRoots, threads, KERNEL_CALLS, PATIENCE);
    }
}
