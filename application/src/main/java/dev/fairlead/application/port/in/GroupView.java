package dev.fairlead.application.port.in;

import java.time.Instant;
import java.util.List;

/** A group of snapshots as callers see it; always ready to use. */
public record GroupView(String handle, List<SnapshotView> snapshots, Instant created) {
    public GroupView {
        snapshots = List.copyOf(snapshots);
    }
}
