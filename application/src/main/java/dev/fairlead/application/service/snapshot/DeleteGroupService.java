package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.in.snapshot.DeleteGroup;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.GroupHandle;
import dev.fairlead.domain.handle.SnapshotHandle;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Optional;

/** Deletes all snapshots of a group; a repeated call finishes an interrupted one. */
public record DeleteGroupService(Connections connections, SnapshotViews views, KeyedLocks locks)
        implements DeleteGroup {
    @Override
    public void delete(String text, List<String> snapshots, Work work) {
        Optional<GroupHandle> handle = views.codec().group(text);
        if (handle.isEmpty()) {
            return;
        }
        try (ConnectionUse use = connections.use(handle.get().connection())) {
            Optional<SnapshotStore> store = use.backend().store().snapshots();
            Optional<SnapshotGroups> groups = store.flatMap(SnapshotStore::groups);
            if (groups.isEmpty()) {
                return; // a store that takes none has none
            }
            locks.exclusively(
                    LockKey.group(text),
                    work,
                    () -> use.run(work, work.what(), (backend, its) -> {
                        var deletion = new Deletion(backend, store.get(), groups.get(), text);
                        groups.get()
                                .find(handle.get().id(), its)
                                .ifPresentOrElse(
                                        group -> delete(deletion, group, snapshots, its),
                                        () -> end(deletion, handle.get().id(), snapshots, its));
                    }));
        }
    }

    /**
     * Ends a deletion that was cut after the group had disappeared. Throws if a snapshot that the caller lists is out
     * of reach: its own id may say more of its place than the group's.
     */
    private void end(Deletion deletion, NativeId id, List<String> snapshots, Work work) {
        snapshots.forEach(snapshot -> {
            var _ = isElsewhere(deletion, snapshot, work);
        });
        deletion.groups().delete(id, work);
    }

    private record Deletion(Backend backend, SnapshotStore snapshots, SnapshotGroups groups, String handle) {}

    private void delete(Deletion deletion, StoredGroup group, List<String> asked, Work work) {
        List<String> members = members(deletion.backend(), group);
        if (!asked.isEmpty()) {
            refuseMismatch(deletion, members, asked, work);
        }
        // While a volume is made from one of them, it holds that snapshot's lock shared.
        locks.exclusivelyAll(members.stream().map(LockKey::snapshot).toList(), work, () -> {
            deletion.groups().delete(group.id(), work); // which proves it absent
        });
    }

    private List<String> members(Backend backend, StoredGroup group) {
        return group.snapshots().stream()
                .map(snapshot -> views.codec().encode(new SnapshotHandle(backend.name(), snapshot.id())))
                .toList();
    }

    /**
     * Refuses a list that lacks a snapshot of the group, or that names an existing snapshot outside it. Listed
     * snapshots that are gone are allowed, since an earlier call may have been interrupted.
     */
    private void refuseMismatch(Deletion deletion, List<String> members, List<String> asked, Work work) {
        members.stream().filter(member -> !asked.contains(member)).findFirst().ifPresent(member -> {
            throw mismatch(member + " belongs to group snapshot " + deletion.handle() + " and is not listed");
        });
        asked.stream()
                .filter(text -> !members.contains(text))
                .filter(text -> isElsewhere(deletion, text, work))
                .findFirst()
                .ifPresent(text -> {
                    throw mismatch(text + " does not belong to group snapshot " + deletion.handle());
                });
    }

    private boolean isElsewhere(Deletion deletion, String text, Work work) {
        return views.codec()
                .snapshot(text)
                .filter(handle -> !handle.connection().equals(deletion.backend().name())
                        || deletion.snapshots().find(handle.id(), work).isPresent())
                .isPresent();
    }

    private static StorageException mismatch(String why) {
        return new StorageException(new Failure.InvalidRequest("snapshot_ids", why));
    }
}
