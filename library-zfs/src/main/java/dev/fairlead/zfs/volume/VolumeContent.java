package dev.fairlead.zfs.volume;

import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.zfs.dataset.BlockSize;
import java.util.Optional;

/**
 * Tells by {@code logicalreferenced} whether a block volume holds anything. Every block with content counts there with
 * its full size, however small it is compressed, and a block that was discarded does not count. So do a few blocks that
 * ZFS keeps for itself, by the size that they take on the pool's disks, which is why a little content cannot be told
 * from none on most pools.
 */
public final class VolumeContent {
    /** Less than ZFS keeps for itself of any block volume: 6 KiB on disks with sectors of 512 bytes, 28 of 4 KiB. */
    public static final long LEAST_OVERHEAD = 5 << 10;

    /**
     * More than ZFS keeps for itself of any block volume without content: its table of objects has five levels of one
     * block, of at most 128 KiB each, and what else there is takes some 20 KiB.
     */
    public static final long MOST_OVERHEAD = 1 << 20;

    private static final BlockSize SMALLEST = new BlockSize(512);

    private VolumeContent() {}

    /**
     * Returns what is known of a volume's content.
     *
     * @param referenced the bytes of {@code logicalreferenced}
     * @param block the size of its blocks, {@code volblocksize}
     */
    public static HostFinding of(long referenced, Optional<BlockSize> block) {
        if (referenced > MOST_OVERHEAD) {
            return HostFinding.WRITTEN;
        }
        long least = LEAST_OVERHEAD + block.orElse(SMALLEST).bytes();
        return referenced < least ? HostFinding.BLANK : HostFinding.UNKNOWN;
    }
}
