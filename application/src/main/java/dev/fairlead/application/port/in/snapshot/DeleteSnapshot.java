package dev.fairlead.application.port.in.snapshot;

import dev.fairlead.application.port.work.Work;

/** Removes a snapshot; returns once it is proved absent. */
public interface DeleteSnapshot {
    /** @param handle if it cannot be parsed, the snapshot was never Fairlead's, and nothing is done */
    void delete(String handle, Work work);
}
