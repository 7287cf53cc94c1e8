package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.UnstageVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Key;
import dev.fairlead.application.service.call.KeyedLocks;
import java.nio.file.Path;

/** Unmounts a staging path by the mount table alone, since this call has no volume context. */
public record UnstageVolumeService(Mounter mounter, KeyedLocks locks) implements UnstageVolume {
    @Override
    public void unstage(String handle, Path staging, Work work) {
        locks.exclusively(Key.volume(handle), work, () -> {
            mounter.unmount(staging, work);
            mounter.removeDirectory(staging, work);
            return true;
        });
    }
}
