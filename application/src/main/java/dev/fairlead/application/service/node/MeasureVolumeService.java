package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;

/** Measures the file system at a path at which the volume is mounted. */
public record MeasureVolumeService(MountedVolumes mounted, Mounter mounter) implements MeasureVolume {
    @Override
    public Usage measure(String handle, Path path, Work work) {
        mounted.require(handle, path, work);
        Mounter.Usage usage = mounter.usage(path, work);
        return new Usage(
                usage.totalBytes(),
                usage.availableBytes(),
                usage.usedBytes(),
                usage.totalInodes(),
                usage.freeInodes(),
                usage.usedInodes());
    }
}
