package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import java.util.Map;
import java.util.Set;

/**
 * The role of a store that changes properties of volumes while they are in use; such a store also makes volumes with
 * them from the first moment, where a request has {@code mutable} parameters.
 */
public interface VolumeModification {
    /** The parameters that it knows. */
    Set<String> keys();

    /**
     * Refuses what it does not know or cannot have, all of it at once. Nothing is asked of the storage.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InvalidRequest}
     */
    void check(Map<String, String> parameters);

    /**
     * Makes it so, all of it or nothing, and reads it back; what is not named is left as it is. What is so already
     * needs no effect.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code VolumeNotFound}; {@code InvalidRequest} also where it
     *     is the storage that refuses a value, and after it nothing has changed
     */
    void modify(NativeId id, Map<String, String> parameters, Work work);
}
