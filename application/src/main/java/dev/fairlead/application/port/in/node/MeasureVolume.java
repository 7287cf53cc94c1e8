package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.time.Duration;

/** Measures how full a mounted volume is (CSI NodeGetVolumeStats). */
public interface MeasureVolume {
    /** Measures it now; while it does not answer, tells what was read last, with its age. */
    Usage measure(String handle, Path path, Work work);

    /**
     * @param device whether it is a raw device, of which only the size is known
     * @param totalInodes 0 if the file system does not count them
     * @param age how long ago it was read, at most; zero if that was now
     */
    record Usage(
            boolean device,
            long totalBytes,
            long availableBytes,
            long usedBytes,
            long totalInodes,
            long freeInodes,
            long usedInodes,
            Duration age) {
        /** Describes a usage that was read now. */
        public Usage(
                boolean device,
                long totalBytes,
                long availableBytes,
                long usedBytes,
                long totalInodes,
                long freeInodes,
                long usedInodes) {
            this(device, totalBytes, availableBytes, usedBytes, totalInodes, freeInodes, usedInodes, Duration.ZERO);
        }

        /** Returns the usage of a raw device. */
        public static Usage ofDevice(long bytes) {
            return new Usage(true, bytes, 0, 0, 0, 0, 0);
        }

        /** Returns the same usage as one that was read this time ago. */
        public Usage aged(Duration time) {
            return new Usage(device, totalBytes, availableBytes, usedBytes, totalInodes, freeInodes, usedInodes, time);
        }
    }
}
