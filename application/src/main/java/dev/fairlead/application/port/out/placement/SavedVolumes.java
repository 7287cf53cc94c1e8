package dev.fairlead.application.port.out.placement;

import java.util.List;

/** Knows the PersistentVolumes that another controller has kept in the storage while it replaced them. */
public interface SavedVolumes extends AutoCloseable {
    /**
     * Returns all of them; at most one for a volume.
     *
     * @throws dev.fairlead.domain.failure.StorageException if they are not known now
     */
    List<SavedVolume> all();

    /**
     * Removes one from the storage, if it is still what was read.
     *
     * @return whether it is not there any more, which was read after its removal
     * @throws dev.fairlead.domain.failure.StorageException if that is not known
     */
    boolean remove(SavedVolume saved);

    /** Lets go of connections. */
    @Override
    void close();
}
