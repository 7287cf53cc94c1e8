package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;

/** Makes the failures of a creation of what a box refuses. */
record BirthFailures(DatasetCalls datasets) {
    /** Says whether a box may have refused since the parent of what it was to make is missing. */
    static boolean lacksParent(ApiResult.Refused refused) {
        return refused.says("parent") || refused.says("does not exist") || refused.isAbsent();
    }

    /** Keeps a volume that is there from being said to be usable while its dataset is locked. */
    void requireUnlocked(DatasetEntry entry) {
        if (entry.isLocked()) {
            throw ApiResult.lockedFailure(
                    datasets.api().connection(), "the box says that the dataset " + entry.name() + " is locked");
        }
    }

    StorageException vanished(DatasetName name) {
        return datasets.untrue(name + " was made, and is not there when it is read back");
    }

    /** Returns the failure of a change of what this call has made; if that is gone, another call took it away. */
    StorageException refusalOfMade(ApiResult.Refused refused) {
        return refused.isAbsent()
                ? datasets.unavailable("another call removed what this one made: " + refused.text())
                : refused.failure();
    }
}
