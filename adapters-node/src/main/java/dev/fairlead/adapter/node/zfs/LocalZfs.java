package dev.fairlead.adapter.node.zfs;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks and changes the node's pools by the program {@code zfs}, on threads that can be left behind: in the kernel it
 * waits for a pool whose disks do not answer, and cannot be killed there.
 */
final class LocalZfs {
    private static final int NOT_FOUND = 127;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String LEGACY = "legacy";

    /** The time that the program's own deadline has to end it. */
    private static final Duration KILLING = Duration.ofSeconds(2);

    private final CommandRunner programs;
    private final ZfsPools pools;
    private final Path place;

    /** @param place the device through which the program asks; of a path in it only the name is used, never opened */
    LocalZfs(CommandRunner programs, ZfsPools pools, Path place) {
        this.programs = programs;
        this.pools = pools;
        this.place = place;
    }

    /**
     * Tells what a dataset or volume is.
     *
     * @param mountpoint empty for a volume
     */
    record Dataset(boolean isVolume, String mountpoint) {
        /** Returns whether mounting it is left to others than ZFS. */
        boolean isLegacy() {
            return mountpoint.equals(LEGACY);
        }
    }

    /** Looks for a dataset or volume by its full name; empty if there is none. */
    Optional<Dataset> find(String asset, Work work) {
        Ended ended = run("zfs-get", asset, List.of("get", "-Hp", "-o", "value", "type,mountpoint", asset), work);
        if (ended.succeeded()) {
            List<String> values = ended.output().lines().map(String::strip).toList();
            return switch (values.isEmpty() ? "" : values.getFirst()) {
                case "filesystem" -> Optional.of(new Dataset(false, values.size() > 1 ? values.get(1) : ""));
                case "volume" -> Optional.of(new Dataset(true, ""));
                default -> throw KernelThreads.fault("looking at " + asset, "zfs says that it is " + values);
            };
        }
        if (ended.errors().contains("does not exist")) {
            return Optional.empty();
        }
        throw KernelThreads.fault("looking at " + asset, ended.trouble());
    }

    /** Leaves mounting a dataset to the node, as democratic-csi does; what ZFS mounted of it is unmounted. */
    void leaveMounting(String dataset, Work work) {
        Ended ended = run("zfs-set", dataset, List.of("set", "mountpoint=" + LEGACY, dataset), work);
        if (find(dataset, work).filter(Dataset::isLegacy).isEmpty()) {
            throw KernelThreads.fault("setting mountpoint=legacy on " + dataset, ended.trouble());
        }
    }

    private Ended run(String kind, String asset, List<String> words, Work work) {
        List<String> argv = new ArrayList<>(List.of("zfs"));
        argv.addAll(words);
        String what = "zfs " + words.getFirst() + " of " + asset;
        pools.refuseSuspended(what, asset, work);
        Command command =
                Command.of(new Effect(kind, asset), argv).within(PATIENCE).awaitedUntilGone();
        Ended ended = pools.threads()
                .call(
                        what,
                        place.resolve(asset),
                        PATIENCE.plus(KILLING),
                        work,
                        wanting -> programs.run(command, wanting));
        if (ended.exitCode() == NOT_FOUND) {
            throw KernelThreads.fault("running zfs for " + asset, "there is no program zfs: " + ended.errors());
        }
        return ended;
    }
}
