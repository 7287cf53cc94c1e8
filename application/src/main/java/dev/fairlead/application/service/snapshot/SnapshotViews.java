package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.in.snapshot.GroupView;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.handle.GroupHandle;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.SnapshotHandle;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;

/** Makes the views of snapshots and groups that callers see. */
public record SnapshotViews(HandleCodec codec) {
    public SnapshotView of(Backend backend, StoredSnapshot snapshot) {
        return new SnapshotView(
                codec.encode(new SnapshotHandle(backend.name(), snapshot.id())),
                codec.encode(new VolumeHandle(backend.name(), snapshot.source())),
                snapshot.size(),
                snapshot.created(),
                snapshot.group().map(group -> codec.encode(new GroupHandle(backend.name(), group))));
    }

    GroupView of(Backend backend, StoredGroup group) {
        return new GroupView(
                codec.encode(new GroupHandle(backend.name(), group.id())),
                group.snapshots().stream()
                        .map(snapshot -> of(backend, snapshot))
                        .toList(),
                group.snapshots().getFirst().created());
    }
}
