package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;

/**
 * Takes, finds, lists and deletes snapshots, with the same guarantees as {@link VolumeStore}: idempotent, and a
 * snapshot is complete or absent.
 */
public interface SnapshotStore {
    /**
     * Takes a snapshot, and answers what it reads back; the store chooses its id. If {@link #findByName} finds one of
     * this name, that one is returned unchanged, of whichever volume it is, and nothing is taken.
     *
     * @param maxIdBytes longest id that leaves the handle within CSI's limit; a longer one is shortened by a hash
     * @throws dev.fairlead.domain.failure.StorageException {@code VolumeNotFound} for a missing source,
     *     {@code OutOfSpace}, {@code Unsupported} for parameters; after any of them nothing new exists
     */
    StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work);

    Optional<StoredSnapshot> find(NativeId id, Work work);

    /** Returns the snapshot of any volume that was taken under this name, if any; snapshots of a group have no name. */
    Optional<StoredSnapshot> findByName(CsiName name, Work work);

    /**
     * Deletes the snapshot, and returns once it is proved absent. Does nothing if there is none.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code GroupMember} for one that was taken with a group
     */
    void delete(NativeId id, Work work);

    /** Returns a page of snapshots in the order of their ids, of all volumes or of one. */
    Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work);

    /** Returns the role that takes snapshots of several volumes at one instant; empty if the store cannot. */
    default Optional<SnapshotGroups> groups() {
        return Optional.empty();
    }
}
