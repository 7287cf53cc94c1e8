package dev.fairlead.application.service;

import dev.fairlead.application.port.in.DeleteSnapshot;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.SnapshotHandle;
import java.util.Optional;

/** Deletes a snapshot; the store proves it absent. */
record DeleteSnapshotService(Connections connections, HandleCodec codec, KeyedLocks locks) implements DeleteSnapshot {
    @Override
    public void delete(String text, Work work) {
        Optional<SnapshotHandle> handle = codec.snapshot(text);
        if (handle.isEmpty()) {
            return;
        }
        try (Lease lease = connections.lease(handle.get().connection())) {
            Optional<SnapshotStore> snapshots = lease.backend().store().snapshots();
            if (snapshots.isEmpty()) {
                return; // a store that takes none has none
            }
            locks.exclusively(
                    Key.snapshot(text),
                    work,
                    () -> lease.change(work, work.what(), (_, its) -> {
                        snapshots.get().delete(handle.get().id(), its);
                        return true;
                    }));
        }
    }
}
