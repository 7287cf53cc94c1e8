package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;

/** Measures how full a mounted volume is (CSI NodeGetVolumeStats). */
public interface MeasureVolume {
    Usage measure(String handle, Path path, Work work);

    /**
     * @param device whether it is a raw device, of which only the size is known
     * @param totalInodes 0 if the file system does not count them
     */
    record Usage(
            boolean device,
            long totalBytes,
            long availableBytes,
            long usedBytes,
            long totalInodes,
            long freeInodes,
            long usedInodes) {
        /** Returns the usage of a raw device. */
        public static Usage ofDevice(long bytes) {
            return new Usage(true, bytes, 0, 0, 0, 0, 0);
        }
    }
}
