package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;

/** Measures how full a mounted volume is (CSI NodeGetVolumeStats). */
public interface MeasureVolume {
    Usage measure(String handle, Path path, Work work);

    /** @param totalInodes 0 if the file system does not count them */
    record Usage(
            long totalBytes, long availableBytes, long usedBytes, long totalInodes, long freeInodes, long usedInodes) {}
}
