package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.snapshot.TakeSnapshot;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.SnapshotHandle;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.IdPolicy;
import java.util.Map;
import java.util.Optional;

/** Takes a snapshot under a name that nothing else has, on this connection or on one where it was used lately. */
public record TakeSnapshotService(Connections connections, SnapshotViews views, KeyedLocks locks, NamesElsewhere names)
        implements TakeSnapshot {
    @Override
    public SnapshotView take(CsiName name, String source, Map<String, String> parameters, Work work) {
        VolumeHandle handle = views.codec().volume(source).orElseThrow(() -> volumeNotFound(source));
        try (ConnectionUse use = connections.use(handle.connection())) {
            Backend backend = use.backend();
            SnapshotStore snapshots = backend.store()
                    .snapshots()
                    .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                            "connection " + backend.name() + " takes no snapshots",
                            "use a connection of a driver type that does")));
            var request = new SnapshotRequest(name, handle.id(), PlannedVolume.parameters(backend, parameters));
            return locks.exclusively(
                    LockKey.snapshotName(name),
                    work,
                    () -> names.unlessUsed(
                            name,
                            backend.name(),
                            new NamesElsewhere.Kind(
                                    "snapshot",
                                    other -> find(other, name, work),
                                    (taken, other) -> new Failure.SnapshotConflict(
                                            taken, "it is of a volume on connection " + other)),
                            work,
                            () -> locks.sharing(
                                    LockKey.volume(source),
                                    work,
                                    () -> use.change(
                                            work,
                                            work.what(),
                                            (_, its) -> take(backend, snapshots, request, source, its)))));
        }
    }

    private Optional<String> find(Backend backend, CsiName name, Work work) {
        return backend.store()
                .snapshots()
                .flatMap(snapshots -> snapshots.findByName(name, work))
                .map(snapshot -> views.codec().encode(new SnapshotHandle(backend.name(), snapshot.id())));
    }

    private SnapshotView take(
            Backend backend, SnapshotStore snapshots, SnapshotRequest request, String source, Work work) {
        int maxIdBytes = IdPolicy.maxSnapshotIdBytes(views.codec().overhead(backend.name()));
        StoredSnapshot seen;
        try {
            seen = snapshots.take(request, maxIdBytes, work);
        } catch (RuntimeException thrown) {
            throw isSourceMissing(thrown)
                    ? volumeNotFound(source)
                    : FailureCodes.unlessGone(
                            backend.name(),
                            thrown,
                            () -> snapshots
                                    .findByName(request.name(), work.finishing())
                                    .isEmpty());
        }
        return views.of(backend, ofSameSource(backend, seen, request));
    }

    /** Returns whether the store did not find the source; its failure has the store's id instead of the handle. */
    private static boolean isSourceMissing(RuntimeException thrown) {
        return thrown instanceof StorageException known && known.failure() instanceof Failure.VolumeNotFound;
    }

    private StoredSnapshot ofSameSource(Backend backend, StoredSnapshot snapshot, SnapshotRequest request) {
        if (!snapshot.source().equals(request.source())) {
            var handle = new SnapshotHandle(backend.name(), snapshot.id());
            throw new StorageException(new Failure.SnapshotConflict(
                    views.codec().encode(handle),
                    "it is of volume " + snapshot.source() + ", asked for is one of " + request.source()));
        }
        return snapshot;
    }

    private static StorageException volumeNotFound(String handle) {
        return new StorageException(new Failure.VolumeNotFound(handle));
    }
}
