package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;

/** Measures the file system or the device at a path at which the volume is mounted. */
public record MeasureVolumeService(MountedVolumes mounted, Mounter mounter, Filesystems filesystems, StaleMounts stale)
        implements MeasureVolume {
    @Override
    public Usage measure(String handle, Path path, Work work) {
        MountEntry mount = mounted.require(handle, path, work);
        Path place = Path.of(mount.mountPoint());
        if (mount.isDeviceNode()) {
            return Usage.ofDevice(filesystems.size(place, work));
        }
        stale.refuse(handle, place, work);
        Mounter.Usage usage = mounter.usage(place, work);
        return new Usage(
                false,
                usage.totalBytes(),
                usage.availableBytes(),
                usage.usedBytes(),
                usage.totalInodes(),
                usage.freeInodes(),
                usage.usedInodes());
    }
}
