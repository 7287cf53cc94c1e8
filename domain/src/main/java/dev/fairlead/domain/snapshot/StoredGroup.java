package dev.fairlead.domain.snapshot;

import dev.fairlead.domain.volume.NativeId;
import java.util.List;

/**
 * Holds the snapshots that were taken at one instant, as far as they still exist.
 *
 * @param shape the shape of the request that it was taken for
 * @param snapshots at least one, in the order of their ids
 */
public record StoredGroup(NativeId id, GroupShape shape, List<StoredSnapshot> snapshots) {
    public StoredGroup {
        snapshots = List.copyOf(snapshots);
    }

    /** Says whether none of the group's snapshots has been lost. */
    public boolean isWhole() {
        return shape.isOf(snapshots.stream().map(StoredSnapshot::source).toList());
    }
}
