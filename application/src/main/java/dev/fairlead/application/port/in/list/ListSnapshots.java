package dev.fairlead.application.port.in.list;

import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.work.Work;
import java.util.Optional;

/** Lists snapshots of all connections, of one volume, or one by its handle; an unknown handle gives an empty list. */
public interface ListSnapshots {
    Listing<SnapshotView> list(Query query, Work work);

    /** @param max the largest number of items; 0: no limit */
    record Query(Optional<String> snapshot, Optional<String> sourceVolume, Optional<String> token, int max) {}
}
