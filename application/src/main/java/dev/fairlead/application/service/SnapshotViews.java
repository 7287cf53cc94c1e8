package dev.fairlead.application.service;

import dev.fairlead.application.port.in.SnapshotView;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.SnapshotHandle;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.snapshot.StoredSnapshot;

/** Snapshots as callers see them. */
record SnapshotViews(HandleCodec codec) {
    SnapshotView of(Backend backend, StoredSnapshot snapshot) {
        return new SnapshotView(
                codec.encode(new SnapshotHandle(backend.name(), snapshot.id())),
                codec.encode(new VolumeHandle(backend.name(), snapshot.source())),
                snapshot.size(),
                snapshot.created());
    }
}
