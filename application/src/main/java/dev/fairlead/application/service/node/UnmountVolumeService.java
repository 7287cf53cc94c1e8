package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.UnmountVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;

/** Unmounts a pod's path and removes it, as CSI asks. */
public record UnmountVolumeService(Mounter mounter, KeyedLocks locks) implements UnmountVolume {
    @Override
    public void unmount(String handle, Path target, Work work) {
        locks.usingAttachment(
                handle,
                work,
                () -> locks.exclusively(LockKey.path(target), work, () -> {
                    takeOff(target, work);
                    mounter.removeDirectory(target, work);
                }));
    }

    /**
     * Unmounts the path. If only a question of ours to a server that is gone may hold it, it is taken off all the same:
     * the volume stays mounted at its staging path, so that nothing that was written is lost.
     */
    private void takeOff(Path target, Work work) {
        try {
            mounter.unmount(target, work);
        } catch (StorageException e) {
            if (!(e.failure() instanceof Failure.InUse) || !isAskedInVain(target, work)) {
                throw e;
            }
            mounter.unmountLazily(target, work);
            mounter.unmount(target, work); // proves that it is gone, and forgets what was mounted there
        }
    }

    private boolean isAskedInVain(Path target, Work work) {
        return mounter.isAskedInVain(target)
                && mounter.at(target, work).filter(MountEntry::isOfServer).isPresent();
    }
}
