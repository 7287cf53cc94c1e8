package dev.fairlead.adapter.zfs.store.destroy;

import dev.fairlead.adapter.zfs.cli.Steps;

/** Names the parts of a removal's steps. */
public enum RemovalPart implements Steps.Part {
    /** The look at the dataset with all that depends on it. */
    TREE,
    /** The look for snapshots that callers were given meanwhile. */
    SNAPSHOTS,
    /** The destruction of the dataset. */
    DATASET,
    /** The last step, which proves that the dataset is gone by failing for that reason and no other. */
    ABSENCE
}
