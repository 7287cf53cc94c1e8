package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.in.snapshot.DeleteSnapshot;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.SnapshotHandle;
import java.util.Optional;

/** Deletes a snapshot; the store proves it absent. */
public record DeleteSnapshotService(Connections connections, HandleCodec codec, KeyedLocks locks)
        implements DeleteSnapshot {
    @Override
    public void delete(String text, Work work) {
        Optional<SnapshotHandle> handle = codec.snapshot(text);
        if (handle.isEmpty()) {
            return;
        }
        try (ConnectionUse use = connections.use(handle.get().connection())) {
            Optional<SnapshotStore> snapshots = use.backend().store().snapshots();
            if (snapshots.isEmpty()) {
                return; // a store that takes none has none
            }
            locks.exclusively(
                    LockKey.snapshot(text),
                    work,
                    () -> use.run(
                            work,
                            work.what(),
                            (_, its) -> snapshots.get().delete(handle.get().id(), its)));
        }
    }
}
