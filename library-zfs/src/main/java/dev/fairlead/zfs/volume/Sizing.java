package dev.fairlead.zfs.volume;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.BlockSize;

/**
 * Turns the sizes that a caller accepts into those that ZFS makes; refuses impossible ones without asking the storage.
 */
public record Sizing(CapacityRange range) {
    /** The largest size in bytes: far more than any pool has, with room to be rounded up. */
    private static final long LARGEST_VOLUME = 1L << 60;

    /** Returns the size of a filesystem, which may be any. */
    public Capacity exactly(Capacity wanted) {
        if (wanted.bytes() > LARGEST_VOLUME) {
            throw new StorageException(new Failure.CapacityOutOfRange(
                    "capacity_range.required_bytes: " + wanted + " (expected: at most " + LARGEST_VOLUME + ")"));
        }
        return wanted;
    }

    /** Returns the size of a block volume, a multiple of its block size. */
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
     * Returns the size of a block volume that has the content of another one, and so the size of its blocks too, which
     * may be larger than that of new ones: a multiple of the largest blocks that the limit allows.
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
