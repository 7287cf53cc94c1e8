package dev.fairlead.application.service.affinity;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;

/** Knows from where the storage of each connection can be used, as its file says now. */
public interface ConnectionPlaces {
    Place of(ConnectionName connection);

    /** Looks at the files again. */
    void refresh();

    /** Begins to tell somebody soon after a file has changed, until this is closed. */
    void listen(Runnable changed);

    /** Ends listening. */
    void close();

    /** Says what is known of one connection. */
    sealed interface Place {
        /** A new volume would get this placement. */
        record Shared(Placement placement) implements Place {}

        /** Its volumes are on one node each, and stay there. */
        record NodeLocal() implements Place {}

        /** Its file is missing or cannot be used. */
        record Unusable(String why) implements Place {}
    }
}
