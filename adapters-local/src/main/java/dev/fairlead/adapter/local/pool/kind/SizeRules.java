package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;

/** Chooses sizes of volumes in which at least the metadata of an empty one fit, whatever the file system's blocks. */
record SizeRules(String kind, Capacity least) {
    static SizeRules of(String kind) {
        return new SizeRules(kind, Capacity.ofBytes(1 << 20));
    }

    Capacity choose(CapacityRange range) {
        Capacity size = range.choose();
        if (!size.isLessThan(least)) {
            return size;
        }
        if (range.exceededBy(least)) {
            throw new StorageException(new Failure.CapacityOutOfRange("capacity_range: a volume of a pool of kind "
                    + kind + " has " + least + " at least, for its metadata"));
        }
        return least;
    }
}
