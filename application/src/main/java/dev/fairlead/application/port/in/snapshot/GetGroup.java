package dev.fairlead.application.port.in.snapshot;

import dev.fairlead.application.port.work.Work;
import java.util.List;

/** Looks a group of snapshots up. */
public interface GetGroup {
    /** @param snapshots the exact snapshots that the group has to have; empty: it may have any */
    GroupView get(String handle, List<String> snapshots, Work work);
}
