package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.UnmountVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import java.nio.file.Path;

/** Unmounts a pod's path and removes it, as CSI asks. */
public record UnmountVolumeService(Mounter mounter, KeyedLocks locks) implements UnmountVolume {
    @Override
    public void unmount(String handle, Path target, Work work) {
        locks.usingAttachment(
                handle,
                work,
                () -> locks.exclusively(LockKey.path(target), work, () -> {
                    mounter.unmount(target, work);
                    mounter.removeDirectory(target, work);
                }));
    }
}
