package dev.fairlead.application.service.health;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.out.node.StagedHandles;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.node.Attachers;
import dev.fairlead.application.service.node.StagingPaths;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the volumes that are staged on this node: those of the journal that are mounted, and what else is mounted at
 * staging paths of this driver, such as shares, which need no entry.
 */
record StagedMounts(NodePorts ports, Attachers attachers, StagingPaths paths, StagedHandles handles) {
    /**
     * Describes a staged volume.
     *
     * @param subject its handle, or where it is mounted
     */
    record StagedMount(String subject, MountEntry mount, Optional<Attachment> attachment) {}

    List<StagedMount> all(Work work) {
        Map<String, MountEntry> mounts = new HashMap<>(); // the topmost of each path, which the table lists last
        for (MountEntry mount : ports.mounter().table(work)) {
            mounts.put(StagingPaths.staging(mount.mountPoint()), mount);
        }
        List<StagedMount> all = new ArrayList<>();
        for (StageJournal.Entry entry : ports.journal().inventory().entries()) {
            Optional.ofNullable(mounts.remove(entry.staging().toString()))
                    .map(mount -> new StagedMount(entry.handle(), mount, Optional.of(entry.attachment())))
                    .ifPresent(all::add);
        }
        mounts.forEach((staging, mount) -> {
            if (paths.include(staging)) {
                String subject = handles.at(Path.of(staging)).orElse(mount.mountPoint());
                all.add(new StagedMount(subject, mount, recognised(mount, work)));
            }
        });
        return all;
    }

    Optional<Attachment> recognised(MountEntry mount, Work work) {
        try {
            return attachers.recognised(mount, work);
        } catch (StorageException _) {
            return Optional.empty(); // what is behind it cannot be read now; whether it answers can still be asked
        }
    }
}
