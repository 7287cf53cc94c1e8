package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.volume.DatasetTree;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads dataset trees by one command. */
public final class TreeLookup {
    private TreeLookup() {}

    /** Reads a dataset, its snapshots, their clones and its children; empty if it does not exist. */
    public static Optional<DatasetTree> of(ZfsHost host, DatasetName name, Work work) {
        return DatasetTree.in(host.below(name, 1, Set.of(DatasetType.values()), DatasetTree.ASKED, work), name);
    }

    /** Returns the command that prints what {@link DatasetTree#in} reads. */
    public static List<String> command(ZfsCommands zfs, DatasetName name) {
        return zfs.getBelow(List.of(name), 1, Set.of(DatasetType.values()), DatasetTree.ASKED);
    }
}
