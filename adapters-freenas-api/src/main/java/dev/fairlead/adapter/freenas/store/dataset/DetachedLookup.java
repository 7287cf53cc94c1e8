package dev.fairlead.adapter.freenas.store.dataset;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;

/**
 * Looks for detached snapshots, which are datasets of their own. The API makes none; democratic-csi does, and its
 * snapshots must not seem to be gone.
 */
public record DetachedLookup(DatasetLayout layout, DatasetCalls datasets, ParentLookup parents) {
    /**
     * Returns if the id is not of a detached snapshot, or of one that is proved absent or not managed by anybody.
     *
     * @throws StorageException {@code Unsupported} if it is there
     */
    public void requireNone(NativeId id, Work work) {
        if (layout.snapshot(id).orElse(null) instanceof DatasetLayout.Place.Detached(var _, DatasetName name)) {
            datasets.find(name, work)
                    .ifPresentOrElse(
                            DetachedLookup::refuse,
                            () -> layout.detachedParent().ifPresent(top -> parents.requirePool(top, work)));
        }
    }

    private static void refuse(DatasetEntry there) {
        if (there.volume().isManaged()) {
            throw new StorageException(new Failure.Unsupported(
                    "a detached snapshot that democratic-csi made: " + there.name(),
                    "delete or restore it with democratic-csi, or destroy that dataset by hand"));
        }
    }
}
