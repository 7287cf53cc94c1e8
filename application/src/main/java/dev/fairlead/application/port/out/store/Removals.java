package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.List;

/** Tells of what was deleted and still takes room, since its content is removed in the background. */
public interface Removals {
    /** Begins to remove what earlier processes left, of the connections that are open and of those that come. */
    void takeUp();

    /** Returns what waits now, in each place that has such; looks at nothing. */
    List<Pending> now();

    /**
     * Describes one place.
     *
     * @param place such as a folder
     * @param entries how many volumes and snapshots are not removed yet
     * @param stuck how many of them could not be removed, and are tried again
     */
    record Pending(ConnectionName connection, String place, int entries, int stuck) {}
}
