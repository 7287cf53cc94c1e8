package dev.fairlead.zfs.volume;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.BlockSize;

/**
 * The sizes that ZFS makes of those that a caller accepts; what cannot be had is refused, without asking the storage.
 */
public record Sizing(CapacityRange range) {
    /** Far more than any pool has, and room to be rounded up. */
    private static final long LARGEST_VOLUME = 1L << 60;

    /** Of a filesystem, which has any size. */
    public Capacity exactly(Capacity wanted) {
        if (wanted.bytes() > LARGEST_VOLUME) {
            throw new StorageException(new Failure.CapacityOutOfRange(
                    "capacity_range.required_bytes: " + wanted + " (expected: at most " + LARGEST_VOLUME + ")"));
        }
        return wanted;
    }

    /** Of a block volume. */
    public Capacity inBlocks(BlockSize blocks, Capacity wanted) {
        Capacity rounded = blocks.atLeast(exactly(wanted));
        if (range.exceededBy(rounded)) {
            throw new StorageException(new Failure.CapacityOutOfRange("capacity_range.limit_bytes: "
                    + range.limit().orElseThrow() + " (expected: at least " + rounded
                    + ", since a volume is made of blocks of " + blocks + ")"));
        }
        return rounded;
    }

    /**
     * Of a block volume that has the content of another one, and so the size of its blocks too, which may be larger
     * than that of new ones.
     */
    public Capacity inBlocksOfAnySource(BlockSize blocks, Capacity wanted) {
        Capacity least = inBlocks(blocks, wanted);
        for (int bytes = BlockSize.MOST; bytes > blocks.bytes(); bytes /= 2) {
            Capacity size = new BlockSize(bytes).atLeast(least);
            if (!range.exceededBy(size)) {
                return size;
            }
        }
        return least;
    }
}
