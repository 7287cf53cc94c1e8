package dev.fairlead.application.port.in.snapshot;

import java.time.Instant;
import java.util.List;

/** Describes a group of snapshots as callers see it; the group is always ready to use. */
public record GroupView(String handle, List<SnapshotView> snapshots, Instant created) {
    public GroupView {
        snapshots = List.copyOf(snapshots);
    }
}
