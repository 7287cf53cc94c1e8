package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;

/** Removes a snapshot; returns once it is proved absent. */
public interface DeleteSnapshot {
    /** @param handle one that cannot be parsed was never ours: nothing to do */
    void delete(String handle, Work work);
}
