package dev.fairlead.application.service.list;

import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.list.Listing;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.snapshot.GetSnapshotService;
import dev.fairlead.application.service.snapshot.SnapshotViews;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Lists snapshots: one by its handle, those of one volume, or all; a handle that was never Fairlead's gives an empty
 * list.
 */
public record ListSnapshotsService(Connections connections, SnapshotViews views, GetSnapshotService snapshots)
        implements ListSnapshots {
    @Override
    public Listing<SnapshotView> list(Query query, Work work) {
        if (query.snapshot().isPresent()) {
            return one(query.snapshot().get(), query.sourceVolume(), work);
        }
        if (query.sourceVolume().isEmpty()) {
            return paging(Optional.empty()).list(connections.names(), query.token(), query.max(), work);
        }
        Optional<VolumeHandle> source =
                views.codec().volume(query.sourceVolume().get());
        if (source.isEmpty()) {
            return new Listing<>(List.of(), Optional.empty());
        }
        var there = new TreeSet<>(List.of(source.get().connection()));
        return paging(source.map(VolumeHandle::id)).list(there, query.token(), query.max(), work);
    }

    private Listing<SnapshotView> one(String handle, Optional<String> source, Work work) {
        List<SnapshotView> found =
                snapshots
                        .find(handle, work)
                        .filter(view -> source.map(view.sourceVolume()::equals).orElse(true))
                        .stream()
                        .toList();
        return new Listing<>(found, Optional.empty());
    }

    private Paging<StoredSnapshot, SnapshotView> paging(Optional<NativeId> source) {
        return new Paging<>(connections, new ConnectionList(views, source));
    }

    private record ConnectionList(SnapshotViews views, Optional<NativeId> source)
            implements Paging.ConnectionList<StoredSnapshot, SnapshotView> {
        @Override
        public Page<StoredSnapshot> page(Backend backend, PageRequest request, Work work) {
            return backend.store()
                    .snapshots()
                    .map(snapshots -> snapshots.list(source, request, work))
                    .orElse(new Page<>(List.of(), false));
        }

        @Override
        public String id(StoredSnapshot snapshot) {
            return snapshot.id().value();
        }

        @Override
        public SnapshotView view(Backend backend, StoredSnapshot snapshot, Work work) {
            return views.of(backend, snapshot);
        }

        @Override
        public int bytes(SnapshotView view) {
            return MessageBytes.of(view);
        }
    }
}
