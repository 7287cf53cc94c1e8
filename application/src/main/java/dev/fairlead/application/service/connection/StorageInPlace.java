package dev.fairlead.application.service.connection;

import dev.fairlead.application.port.work.Work;

/** Tells a node whether the storage of a volume is where its connection has it, if connections are in its process. */
@FunctionalInterface
public interface StorageInPlace {
    /** The implementation for a node without connections in its process, which cannot tell. */
    StorageInPlace ELSEWHERE = (_, _) -> {};

    /**
     * Throws what a call to the controller would answer if other storage is there, or none.
     *
     * @param handle of a volume that the node finds by a path, to which another disk may have been mounted
     */
    void check(String handle, Work work);
}
