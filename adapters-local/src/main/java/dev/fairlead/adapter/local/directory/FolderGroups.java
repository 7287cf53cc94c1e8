package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.GroupMembers.SizedMember;
import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.folder.GroupCreation;
import dev.fairlead.adapter.local.directory.folder.GroupCreation.NewGroup;
import dev.fairlead.adapter.local.directory.folder.NewFolder;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.GroupRecord;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.settings.SnapshotMethod;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Takes snapshots of several volumes of one base at one instant, if its folders have one, and deletes them together.
 * Each is a snapshot like any other; the record of the group makes all of them appear and disappear at once.
 */
public final class FolderGroups {
    /** The most volumes of a group; a command line has room for the names of that many. */
    private static final int MOST = 100;

    private final BaseFolderContext context;
    private final FolderForm form;
    private final Promises promises;
    private final DirectorySnapshotStore store;
    private final GroupMembers members;
    private final RecordedFolders snapshots;
    private final RecordedFolders groups;

    FolderGroups(BaseFolderContext context, FolderForm form, Promises promises, DirectorySnapshotStore store) {
        this.context = context;
        this.form = form;
        this.promises = promises;
        this.store = store;
        this.members = new GroupMembers(context, form, store);
        this.snapshots = context.layout().snapshots();
        this.groups = context.layout().groups();
    }

    /** Returns the id of the group of a name; always the same one. */
    public static NativeId idOf(CsiName name, int maxIdBytes) {
        return SnapshotIds.group(name, maxIdBytes);
    }

    /** Takes a group; returns the one of the same id if there is one, whatever its volumes are. */
    public StoredGroup take(GroupTake wanted, Work work) {
        SnapshotMethod.check(wanted.parameters());
        return context.failures().during("taking the group snapshot " + wanted.name(), () -> {
            boolean ours = context.visit();
            refuse(wanted);
            context.prepare(ours, work);
            return holding(wanted.id(), () -> {
                Optional<StoredGroup> known = look(wanted.id());
                return known.isPresent() ? settled(known.get(), wanted.name(), work) : make(wanted, work);
            });
        });
    }

    /** Refuses what can never be taken, or not now; nothing has been begun. */
    private void refuse(GroupTake wanted) throws IOException {
        if (!form.hasInstant() || context.claims().areNeeded()) {
            throw new StorageException(new Failure.Unsupported(
                    "a group snapshot of volumes below " + context.layout().base()
                            + ", whose kind of pool has no instant for several volumes",
                    "use volumes of a pool of kind zfs, or take a snapshot of each volume"));
        }
        if (wanted.sources().size() > MOST) {
            throw new StorageException(new Failure.InvalidRequest(
                    "source_volume_ids",
                    "name " + wanted.sources().size() + " volumes (expected: at most " + MOST + " of one instant)"));
        }
        for (NativeId source : wanted.sources()) {
            members.requireVolume(source);
        }
    }

    /** Runs an action while no other call of this process works on the group. */
    private <T> T holding(NativeId id, DirectoryFailures.Action<T> action) throws IOException {
        Path record = groups.record(id.value());
        if (!context.creations().begin(record)) {
            throw context.failures().unavailable("group snapshot " + id + " is being taken or deleted already");
        }
        boolean ended = false;
        try {
            T result = action.run();
            ended = true;
            return result;
        } finally {
            context.creations().end(record);
            if (!ended) { // what it has left is taken away by the next call that changes something
                context.creations().sweepAgain(groups.folder());
            }
        }
    }

    private StoredGroup make(GroupTake wanted, Work work) throws IOException {
        String id = wanted.id().value();
        if (context.groups().read(id).isPresent() || members.areBegun(wanted)) {
            var _ = clear(id, work); // its deletion was cut, or an earlier call that took it
        }
        List<SizedMember> all = members.of(wanted, work);
        List<NewFolder> folders = all.stream().map(SizedMember::folder).toList();
        GroupRecord record = new GroupRecord(
                wanted.name(),
                wanted.shape(),
                folders.stream().map(NewFolder::id).toList(),
                false);
        admit(all.iterator(), work, () -> {
            String first = wanted.sources().getFirst().value();
            return context.copies().taking(first, "group snapshot " + id, () -> {
                GroupCreation.deliver(context, new NewGroup(id, record, folders, form), work);
                return id;
            });
        });
        return look(wanted.id())
                .filter(taken -> taken.snapshots().size() == all.size())
                .orElseThrow(() -> context.failures()
                        .unavailable("group snapshot " + id + " was taken, and not all of it is there"));
    }

    /** Promises the sizes of all, one within the other, and runs an action once all are promised. */
    private <T> T admit(Iterator<SizedMember> left, Work work, Promises.Making<T> making) throws IOException {
        if (!left.hasNext()) {
            return making.run();
        }
        SizedMember next = left.next();
        String key = Promises.ofSnapshot(next.folder().id());
        return promises.admit(key, next.size(), work, () -> admit(left, work, making));
    }

    private Optional<StoredGroup> look(NativeId id) throws IOException {
        Optional<GroupRecord> record = context.groups().read(id.value());
        if (record.isEmpty()) {
            return Optional.empty();
        }
        List<StoredSnapshot> there = new ArrayList<>();
        for (String snapshot : record.get().snapshots()) {
            if (snapshots.accepts(snapshot)) {
                store.member(snapshot)
                        .filter(it -> it.group().equals(Optional.of(id)))
                        .ifPresent(there::add);
            }
        }
        // Beside a deletion some of them may not have been seen any more.
        boolean changed = !context.groups().read(id.value()).equals(record);
        return there.isEmpty() || changed
                ? Optional.empty()
                : Optional.of(new StoredGroup(id, record.get().shape(), there));
    }

    /** Ends what the call that took a group may not have come to. Throws if it was taken by another name. */
    private StoredGroup settled(StoredGroup group, CsiName name, Work work) throws IOException {
        context.groups()
                .read(group.id().value())
                .filter(record -> !record.name().equals(name))
                .ifPresent(record -> {
                    throw new StorageException(new Failure.GroupConflict(
                            group.id().value(),
                            "it was taken by the name "
                                    + Excerpt.of(record.name().value())));
                });
        context.syncs().sync(snapshots, work);
        context.syncs().sync(groups, work);
        for (StoredSnapshot snapshot : group.snapshots()) {
            form.settleAgain(snapshots.place(snapshot.id().value()), work);
        }
        return group;
    }

    public Optional<StoredGroup> find(NativeId id, Work work) {
        return asked(id, () -> {
            Optional<StoredGroup> found = look(id);
            if (found.isEmpty()) {
                proveAbsence(id);
            }
            return found;
        });
    }

    /** Returns the group of a name; a base in which nothing was ever made has none. */
    public Optional<StoredGroup> findByName(CsiName name, int maxIdBytes) {
        NativeId id = idOf(name, maxIdBytes);
        return asked(id, () -> {
            Optional<StoredGroup> found = look(id);
            context.visit(); // if the base has gone meanwhile, the name could not be found
            return found;
        });
    }

    /** Returns the group that an earlier call took, if any, and ends what that may not have come to. */
    public Optional<StoredGroup> existing(CsiName name, int maxIdBytes, Work work) {
        NativeId id = idOf(name, maxIdBytes);
        if (findByName(name, maxIdBytes).isEmpty()) {
            return Optional.empty();
        }
        return asked(
                id,
                () -> holding(id, () -> {
                    Optional<StoredGroup> known = look(id);
                    return known.isPresent() ? Optional.of(settled(known.get(), name, work)) : known;
                }));
    }

    private Optional<StoredGroup> asked(NativeId id, DirectoryFailures.Action<Optional<StoredGroup>> question) {
        return context.failures().during("looking for the group snapshot " + id, () -> {
            context.visit();
            return groups.accepts(id.value()) ? question.run() : Optional.empty();
        });
    }

    /** Throws if a group that was not found may still exist. */
    private void proveAbsence(NativeId id) throws IOException {
        context.proveAbsence("group snapshot " + id);
        context.groups().proveAbsence(id.value());
    }

    /** Deletes a group and returns once all of it is proved absent; returns whether there was any of it. */
    public boolean delete(NativeId id, Work work) {
        return context.failures().during("deleting the group snapshot " + id, () -> {
            boolean ours = context.visit();
            boolean there = false;
            // A base that has lost a folder of its own is prepared anew: nothing in it is gone for that.
            if (groups.accepts(id.value()) && Records.isFolder(groups.folder())) {
                context.prepare(ours, work);
                there = holding(id, () -> remove(id.value(), work));
            }
            proveAbsence(id);
            if (groups.accepts(id.value()) && context.groups().hasAny(id.value())) {
                throw context.failures().unavailable("group snapshot " + id + " was deleted, and some of it is there");
            }
            return there;
        });
    }

    private boolean remove(String id, Work work) throws IOException {
        Optional<GroupRecord> record = context.groups().read(id);
        if (record.isPresent() && !record.get().deleting()) {
            GroupCreation.write(context, id, record.get().asDeleting(), work); // hides all at once
        }
        return !clear(id, work).isEmpty() || record.isPresent();
    }

    /** Takes away what is there of a group, and returns the keys of the members that were there. */
    private List<String> clear(String id, Work work) throws IOException {
        return promises.releaseAll(() ->
                context.clearGroup(id, work).stream().map(Promises::ofSnapshot).toList());
    }
}
