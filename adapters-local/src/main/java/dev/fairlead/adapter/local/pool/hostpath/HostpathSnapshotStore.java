package dev.fairlead.adapter.local.pool.hostpath;

import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keeps the snapshots of another program's volumes: takes them as Fairlead takes its own, and has those that the
 * program took besides.
 *
 * @param taken those that Fairlead took
 * @param theirs those of the other program; empty if it took none
 */
record HostpathSnapshotStore(SnapshotStore taken, Optional<HostpathSnapshotFolders> theirs, DirectoryFailures failures)
        implements SnapshotStore {
    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        Optional<StoredSnapshot> named = findTheirs(new NativeId(plain(request.name())));
        return named.isPresent() ? named.get() : taken.take(request, maxIdBytes, work);
    }

    /** Returns the id that a name is; one that no id can be is another's. */
    private static String plain(CsiName name) {
        return NativeId.isValid(name.value()) ? name.value() : "/";
    }

    private Optional<StoredSnapshot> findTheirs(NativeId id) {
        return failures.during(
                "looking for snapshot " + id,
                () -> theirs.isPresent() ? theirs.get().find(id) : Optional.empty());
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        Optional<StoredSnapshot> found = findTheirs(id);
        return found.isPresent() ? found : taken.find(id, work);
    }

    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        Optional<StoredSnapshot> found = findTheirs(new NativeId(plain(name)));
        return found.isPresent() ? found : taken.findByName(name, work);
    }

    @Override
    public void delete(NativeId id, Work work) {
        if (theirs.isPresent()) {
            failures.during("deleting snapshot " + id, () -> {
                theirs.get().delete(id.value(), work);
                return id;
            });
        }
        taken.delete(id, work);
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        Page<StoredSnapshot> some = taken.list(source, page, work);
        if (theirs.isEmpty()) {
            return some;
        }
        SortedMap<String, StoredSnapshot> all = new TreeMap<>();
        failures.during(
                        "listing snapshots",
                        () -> theirs.get()
                                .all(it -> source.isEmpty() || source.get().equals(it)))
                .forEach(snapshot -> all.put(snapshot.id().value(), snapshot));
        some.items().forEach(snapshot -> all.put(snapshot.id().value(), snapshot));
        Page<StoredSnapshot> cut = page.cut(all);
        return new Page<>(cut.items(), cut.more() || some.more());
    }
}
