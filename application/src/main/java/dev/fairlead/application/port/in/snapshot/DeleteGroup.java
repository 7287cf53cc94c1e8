package dev.fairlead.application.port.in.snapshot;

import dev.fairlead.application.port.work.Work;
import java.util.List;

/** Removes a group with all its snapshots; returns once all of them are proved absent. */
public interface DeleteGroup {
    /**
     * @param handle if it cannot be parsed, the group was never Fairlead's, and nothing is done
     * @param snapshots the only snapshots that the group may have; empty: it may have any
     */
    void delete(String handle, List<String> snapshots, Work work);
}
