package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.in.snapshot.GetSnapshot;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.SnapshotHandle;
import java.util.Optional;

/** Looks a snapshot up by its handle. */
public record GetSnapshotService(Connections connections, SnapshotViews views) implements GetSnapshot {
    @Override
    public SnapshotView get(String text, Work work) {
        return find(text, work).orElseThrow(() -> new StorageException(new Failure.SnapshotNotFound(text)));
    }

    public Optional<SnapshotView> find(String text, Work work) {
        Optional<SnapshotHandle> handle = views.codec().snapshot(text);
        if (handle.isEmpty()) {
            return Optional.empty();
        }
        try (ConnectionUse use = connections.use(handle.get().connection())) {
            return use.read(
                    work,
                    "get snapshot",
                    backend -> backend.store()
                            .snapshots()
                            .flatMap(snapshots -> snapshots.find(handle.get().id(), work))
                            .map(snapshot -> views.of(backend, snapshot)));
        }
    }
}
