package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import java.util.List;

/** Removes a group with all its snapshots; returns once all of them are proved absent. */
public interface DeleteGroup {
    /**
     * @param handle one that cannot be parsed was never ours: nothing to do
     * @param snapshots those that it may have; none: whichever it has
     */
    void delete(String handle, List<String> snapshots, Work work);
}
