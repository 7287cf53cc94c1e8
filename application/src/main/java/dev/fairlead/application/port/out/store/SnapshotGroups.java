package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;

/**
 * Takes snapshots of several volumes at one instant, and finds and deletes them as a group. They are also found, listed
 * and restored by {@link SnapshotStore}, which knows their group and refuses to delete one of them alone.
 */
public interface SnapshotGroups {
    /** Returns the group that was taken by this name and with this longest id; empty if it is proved absent. */
    Optional<StoredGroup> findByName(CsiName name, int maxIdBytes, Work work);

    /**
     * Takes a snapshot of each volume, all in one step of the storage, and answers what it reads back; after an
     * interruption there are all or none. If a group of the same name exists, it is returned unchanged, whatever its
     * volumes are.
     *
     * @param maxIdBytes longest id, of a snapshot and of the group, that leaves handles within CSI's limit
     * @throws dev.fairlead.domain.failure.StorageException {@code VolumeNotFound} for a missing volume,
     *     {@code OutOfSpace}, {@code Unsupported} for volumes or parameters with which a group is not possible; after
     *     any of them nothing new exists
     */
    StoredGroup take(GroupRequest request, int maxIdBytes, Work work);

    Optional<StoredGroup> find(NativeId id, Work work);

    /**
     * Deletes all snapshots of the group, and returns once they are proved absent; ends a deletion that was cut, though
     * the group is not found any more. Does nothing if there are none.
     */
    void delete(NativeId id, Work work);
}
