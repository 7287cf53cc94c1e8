package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;

/** The role of a store that takes snapshots. The same promises as {@link VolumeStore}: idempotent, whole or absent. */
public interface SnapshotStore {
    /**
     * Takes a snapshot, and answers what it reads back; the store names it. One that {@link #findByName} would answer
     * comes back as it is, of whichever volume it is, and nothing is taken.
     *
     * @param maxIdBytes longest id that leaves the handle within CSI's limit; a longer one is shortened by a hash
     * @throws dev.fairlead.domain.failure.StorageException {@code VolumeNotFound} for a missing source,
     *     {@code OutOfSpace}, {@code Unsupported} for parameters; after any of them nothing new exists
     */
    StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work);

    Optional<StoredSnapshot> find(NativeId id, Work work);

    /**
     * The snapshot that was taken under this name of whichever volume, if any; those of groups have none of their own.
     */
    Optional<StoredSnapshot> findByName(CsiName name, Work work);

    /**
     * Returns once the snapshot is proved absent. What is absent is done.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code GroupMember} for one that was taken with a group
     */
    void delete(NativeId id, Work work);

    /** Snapshots in the order of their ids, all or those of one volume. */
    Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work);

    /** Answers whether it takes snapshots of several volumes at one instant. */
    default Optional<SnapshotGroups> groups() {
        return Optional.empty();
    }
}
