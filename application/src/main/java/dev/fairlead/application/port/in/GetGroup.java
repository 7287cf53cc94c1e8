package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import java.util.List;

/** Looks a group of snapshots up. */
public interface GetGroup {
    /** @param snapshots those that it has to have and no others; none: whichever it has */
    GroupView get(String handle, List<String> snapshots, Work work);
}
