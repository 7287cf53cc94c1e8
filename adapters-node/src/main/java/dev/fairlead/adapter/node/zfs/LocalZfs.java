package dev.fairlead.adapter.node.zfs;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks and changes the node's pools by the program {@code zfs}. */
final class LocalZfs {
    private static final int NOT_FOUND = 127;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String LEGACY = "legacy";

    private final CommandRunner programs;

    LocalZfs(CommandRunner programs) {
        this.programs = programs;
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
        Ended ended = programs.run(Command.of(new Effect(kind, asset), argv).within(PATIENCE), work);
        if (ended.exitCode() == NOT_FOUND) {
            throw KernelThreads.fault("running zfs for " + asset, "there is no program zfs: " + ended.errors());
        }
        return ended;
    }
}
