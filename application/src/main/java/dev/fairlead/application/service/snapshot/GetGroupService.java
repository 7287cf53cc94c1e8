package dev.fairlead.application.service.snapshot;

import dev.fairlead.application.port.in.snapshot.GetGroup;
import dev.fairlead.application.port.in.snapshot.GroupView;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.GroupHandle;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks a group up by its handle, and verifies that it has the snapshots that the caller knows. */
public record GetGroupService(Connections connections, SnapshotViews views) implements GetGroup {
    @Override
    public GroupView get(String text, List<String> snapshots, Work work) {
        GroupView view = find(text, work).orElseThrow(() -> new StorageException(new Failure.GroupNotFound(text)));
        if (!snapshots.isEmpty()) {
            refuseMismatch(view, Set.copyOf(snapshots));
        }
        return view;
    }

    private Optional<GroupView> find(String text, Work work) {
        Optional<GroupHandle> handle = views.codec().group(text);
        if (handle.isEmpty()) {
            return Optional.empty();
        }
        try (ConnectionUse use = connections.use(handle.get().connection())) {
            return use.read(
                    work,
                    "get group snapshot",
                    backend -> backend.store()
                            .snapshots()
                            .flatMap(SnapshotStore::groups)
                            .flatMap(groups -> groups.find(handle.get().id(), work))
                            .map(group -> views.of(backend, group)));
        }
    }

    private static void refuseMismatch(GroupView view, Set<String> asked) {
        Set<String> there = new HashSet<>(
                view.snapshots().stream().map(SnapshotView::handle).toList());
        if (!there.equals(asked)) {
            throw new StorageException(new Failure.InvalidRequest(
                    "snapshot_ids",
                    "are not those of group snapshot " + view.handle() + " (expected: " + new TreeSet<>(there) + ")"));
        }
    }
}
