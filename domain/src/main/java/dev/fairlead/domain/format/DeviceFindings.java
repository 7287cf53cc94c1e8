package dev.fairlead.domain.format;

import java.util.List;
import java.util.Optional;

/**
 * Says what was read from a block device.
 *
 * @param size in bytes
 * @param signatures what is recognised on it, of all kinds
 * @param zeros whether the beginning and the end of the device hold nothing but zeros
 */
public record DeviceFindings(long size, List<Signature> signatures, boolean zeros) {
    public DeviceFindings {
        signatures = List.copyOf(signatures);
    }

    /** Says what a signature stands for. */
    public enum Kind {
        FILESYSTEM,
        PARTITION_TABLE,
        /** A member of a RAID, of LVM, of a pool, an encrypted device, swap: whatever is no file system. */
        OTHER
    }

    /**
     * A mark by which content is recognised.
     *
     * @param type as blkid calls it
     */
    public record Signature(Kind kind, String type, Optional<String> uuid) {}
}
