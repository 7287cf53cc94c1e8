package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import java.util.Map;
import java.util.Set;

/**
 * Changes properties of volumes while they are in use. A store with this role also gives a new volume these properties
 * from its creation, if the request has {@code mutable} parameters.
 */
public interface VolumeModification {
    /** Returns the names of the parameters that the store knows. */
    Set<String> keys();

    /**
     * Refuses parameters that the store does not know or values that it cannot have, all in one failure. It does not
     * ask the storage.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InvalidRequest}
     */
    void check(Map<String, String> parameters);

    /**
     * Sets all of these properties or none, and reads them back; properties that are not named stay as they are. Does
     * nothing if all have their values already.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code VolumeNotFound}; {@code InvalidRequest}, also if the
     *     storage refuses a value, after which nothing has changed
     */
    void modify(NativeId id, Map<String, String> parameters, Work work);
}
