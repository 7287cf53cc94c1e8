package dev.fairlead.domain.format;

import java.util.List;
import java.util.Optional;

/**
 * Says what was read from a block device.
 *
 * @param size in bytes
 * @param signatures what is recognised on it, of all kinds
 * @param zeros whether all that was read holds nothing but zeros: the beginning, the end, and samples between them;
 *     false if a signature was found
 */
public record DeviceFindings(long size, List<Signature> signatures, boolean zeros) {
    public DeviceFindings {
        signatures = List.copyOf(signatures);
    }

    /** Returns whether there is a partition table, and nothing else that is recognised. */
    public boolean isPartitioned() {
        return !signatures.isEmpty() && signatures.stream().allMatch(it -> it.kind() == Kind.PARTITION_TABLE);
    }

    /** Says what a signature stands for. */
    public enum Kind {
        FILESYSTEM,
        /** A file system that says of itself that it was never finished. */
        UNFINISHED,
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
