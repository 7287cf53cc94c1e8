package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.UnmountVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Unmounts a pod's path and removes it, as CSI asks. This call brings neither a volume context nor a staging path: only
 * of a volume that the journal has is it known that something else is mounted there, which stays.
 */
public record UnmountVolumeService(Attachers attachers, Mounter mounter, StageJournal journal, KeyedLocks locks)
        implements UnmountVolume {
    @Override
    public void unmount(String handle, Path target, Work work) {
        locks.usingAttachment(
                handle,
                work,
                () -> locks.exclusively(LockKey.path(target), work, () -> {
                    known(handle).ifPresent(it -> attachers.refuseForeign(it, target, mounter, work));
                    mounter.unmount(target, work);
                    mounter.removeDirectory(target, work);
                }));
    }

    /** Returns the volume's entry; none if it cannot be read, which is not to keep a pod on the node. */
    private Optional<StageJournal.Entry> known(String handle) {
        try {
            return journal.of(handle);
        } catch (StorageException _) {
            return Optional.empty();
        }
    }
}
