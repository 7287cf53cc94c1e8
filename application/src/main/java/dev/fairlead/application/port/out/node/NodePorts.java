package dev.fairlead.application.port.out.node;

import java.util.List;

/**
 * Holds what the node's use cases need of this machine.
 *
 * @param attachers one for each protocol
 */
public record NodePorts(Mounter mounter, List<Attacher<?>> attachers, Filesystems filesystems, StageJournal journal) {
    public NodePorts {
        attachers = List.copyOf(attachers);
    }
}
