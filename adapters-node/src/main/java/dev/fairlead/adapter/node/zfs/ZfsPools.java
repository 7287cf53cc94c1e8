package dev.fairlead.adapter.node.zfs;

import dev.fairlead.adapter.node.block.SysfsFiles;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.health.VolumePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Tells how the node's own pools are, as the kernel module has it and without {@code zpool}, which waits for a pool
 * that is suspended.
 *
 * @param folder where the module has a folder for each pool
 */
record ZfsPools(KernelThreads threads, Path folder) {
    private static final Duration GLANCE = Duration.ofSeconds(10);
    private static final String SUSPENDED = "SUSPENDED";
    private static final Set<String> SERVING = Set.of("ONLINE", "DEGRADED");

    static ZfsPools ofThisKernel(KernelThreads threads) {
        return new ZfsPools(threads, Path.of("/proc/spl/kstat/zfs"));
    }

    /** Refuses what would wait for a pool that has stopped. */
    void refuseSuspended(String what, String asset, Work work) {
        behind(asset, work).stream()
                .filter(it -> it.state().equals(SUSPENDED))
                .findFirst()
                .ifPresent(it -> {
                    throw KernelThreads.fault(
                            what,
                            it.name() + " is " + SUSPENDED + " since its disks have failed; zpool clear lets it go on"
                                    + " once they are back");
                });
    }

    /** Returns the pool of a dataset or volume as the only way to it; none if the module does not tell of it. */
    List<VolumePath> behind(String asset, Work work) {
        String pool = asset.replaceFirst("/.*", "");
        Path file = folder.resolve(pool).resolve("state");
        String state = threads.call("reading " + file, file, GLANCE, work, _ -> SysfsFiles.text(file));
        return state.isEmpty() ? List.of() : List.of(new VolumePath("pool " + pool, state, SERVING.contains(state)));
    }
}
