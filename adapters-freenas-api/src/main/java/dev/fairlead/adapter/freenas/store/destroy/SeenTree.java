package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.volume.DatasetTree;

/** Holds a dataset and all that hangs on it, as they were read together. */
record SeenTree(DatasetEntry entry, DatasetTree tree) {
    boolean isOf(VolumeMedium.Kind kind) {
        return tree.isOf(kind == VolumeMedium.Kind.BLOCK_DEVICE ? DatasetType.VOLUME : DatasetType.FILESYSTEM);
    }
}
