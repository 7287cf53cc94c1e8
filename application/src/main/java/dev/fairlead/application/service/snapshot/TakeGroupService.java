package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.in.snapshot.GroupView;
import dev.fairlead.application.port.in.snapshot.TakeGroup;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.FailureCodes;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.plan.PlannedVolume;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.GroupHandle;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Takes snapshots of volumes of one connection at one instant, or returns those that an earlier call took. */
public record TakeGroupService(Connections connections, SnapshotViews views, KeyedLocks locks, NamesElsewhere names)
        implements TakeGroup {
    @Override
    public GroupView take(CsiName name, List<String> sources, Map<String, String> parameters, Work work) {
        List<VolumeHandle> handles = sources.stream().map(this::volume).toList();
        ConnectionName connection = onlyOne(handles);
        try (ConnectionUse use = connections.use(connection)) {
            Backend backend = use.backend();
            SnapshotGroups groups = groups(backend);
            List<NativeId> ids = handles.stream().map(VolumeHandle::id).toList();
            var request = new GroupRequest(name, ids, PlannedVolume.parameters(backend, parameters));
            // In the order of their ids, so that calls on the same volumes take the locks in the same order.
            List<LockKey> volumes = request.sources().stream()
                    .map(id -> LockKey.volume(views.codec().encode(new VolumeHandle(connection, id))))
                    .toList();
            return locks.exclusively(
                    LockKey.groupName(name),
                    work,
                    () -> names.unlessUsed(
                            name,
                            connection,
                            new NamesElsewhere.Kind(
                                    "group snapshot",
                                    other -> find(other, name, work),
                                    (taken, other) -> new Failure.GroupConflict(
                                            taken, "it is of volumes on connection " + other)),
                            work,
                            () -> locks.sharingAll(
                                    volumes,
                                    work,
                                    () -> use.change(
                                            work, work.what(), (_, its) -> take(backend, groups, request, its)))));
        }
    }

    private VolumeHandle volume(String text) {
        return views.codec().volume(text).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(text)));
    }

    /**
     * Returns the one connection of all volumes; refuses several, since two storages cannot take snapshots at one
     * instant.
     */
    private static ConnectionName onlyOne(List<VolumeHandle> handles) {
        SortedSet<ConnectionName> all =
                new TreeSet<>(handles.stream().map(VolumeHandle::connection).toList());
        if (all.isEmpty()) {
            throw new StorageException(
                    new Failure.InvalidRequest("source_volume_ids", "are missing (expected: at least one volume)"));
        }
        if (all.size() > 1) {
            throw new StorageException(new Failure.Unsupported(
                    "a group snapshot of volumes on the connections " + all + ", which have no instant in common",
                    "select the volumes of one connection only"));
        }
        return all.first();
    }

    private static SnapshotGroups groups(Backend backend) {
        return backend.store()
                .snapshots()
                .flatMap(SnapshotStore::groups)
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        "connection " + backend.name() + ", of driver " + backend.driverType()
                                + ", cannot take snapshots of several volumes at one instant",
                        "use a connection of a driver type that can")));
    }

    private int maxIdBytes(ConnectionName connection) {
        return IdPolicy.maxSnapshotIdBytes(views.codec().overhead(connection));
    }

    private Optional<String> find(Backend backend, CsiName name, Work work) {
        return backend.store()
                .snapshots()
                .flatMap(SnapshotStore::groups)
                .flatMap(groups -> groups.findByName(name, maxIdBytes(backend.name()), work))
                .map(group -> handle(backend, group.id()));
    }

    private GroupView take(Backend backend, SnapshotGroups groups, GroupRequest request, Work work) {
        int maxIdBytes = maxIdBytes(backend.name());
        StoredGroup seen;
        try {
            seen = groups.take(request, maxIdBytes, work);
        } catch (RuntimeException thrown) {
            throw FailureCodes.unlessGone(
                    backend.name(),
                    thrown,
                    () -> groups.findByName(request.name(), maxIdBytes, work.finishing())
                            .isEmpty());
        }
        difference(seen, request).ifPresent(why -> {
            throw new StorageException(new Failure.GroupConflict(handle(backend, seen.id()), why));
        });
        return views.of(backend, seen);
    }

    private static Optional<String> difference(StoredGroup group, GroupRequest request) {
        return group.shape()
                .difference(GroupShape.of(request))
                .or(() -> group.isWhole()
                        ? Optional.empty()
                        : Optional.of("not all of its snapshots are there any more; delete it, and take another"));
    }

    private String handle(Backend backend, NativeId id) {
        return views.codec().encode(new GroupHandle(backend.name(), id));
    }
}
