package dev.fairlead.application.port.out.node;

import java.util.List;

/**
 * Holds what the node's use cases need of this machine.
 *
 * @param attachers one for each protocol
 * @param mountFlags what the operator of the nodes adds to the mount flags of every share and device
 */
public record NodePorts(
        Mounter mounter,
        List<Attacher<?>> attachers,
        Filesystems filesystems,
        StageJournal journal,
        List<String> mountFlags) {
    public NodePorts {
        attachers = List.copyOf(attachers);
        mountFlags = List.copyOf(mountFlags);
    }

    /** Holds the same, with no further mount flags. */
    public NodePorts(Mounter mounter, List<Attacher<?>> attachers, Filesystems filesystems, StageJournal journal) {
        this(mounter, attachers, filesystems, journal, List.of());
    }
}
