package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;

/**
 * The role of a store that takes snapshots of several volumes at one instant. They are snapshots like any other, found,
 * listed and restored by {@link SnapshotStore}, which knows their group and refuses to delete one of them alone.
 */
public interface SnapshotGroups {
    /** The id of the group of this name; always the same one. */
    NativeId idOf(CsiName name, int maxIdBytes);

    /**
     * Takes a snapshot of each volume, all of them in one step of the storage, and answers what it reads back: cut
     * anywhere, there are all or none. A group of the same name comes back as it is, whatever its volumes.
     *
     * @param maxIdBytes longest id, of a snapshot and of the group, that leaves handles within CSI's limit
     * @throws dev.fairlead.domain.failure.StorageException {@code VolumeNotFound} for a missing volume,
     *     {@code OutOfSpace}, {@code Unsupported} for volumes or parameters that cannot be had at one instant; after
     *     any of them nothing new exists
     */
    StoredGroup take(GroupRequest request, int maxIdBytes, Work work);

    Optional<StoredGroup> find(NativeId id, Work work);

    /** Returns once all snapshots of the group are proved absent. What is absent is done. */
    void delete(NativeId id, Work work);
}
