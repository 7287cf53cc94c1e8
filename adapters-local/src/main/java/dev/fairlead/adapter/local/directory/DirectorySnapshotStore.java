package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.folder.FolderRemoval;
import dev.fairlead.adapter.local.directory.folder.NewFolder;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.adapter.local.directory.settings.SnapshotMethod;
import dev.fairlead.adapter.local.directory.tree.KeptNames;
import dev.fairlead.adapter.local.directory.tree.TreeMeasure;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Keeps snapshots as folders of their own: copies that share nothing except blocks, if the file system supports that.
 */
final class DirectorySnapshotStore implements SnapshotStore {
    private final BaseFolderContext context;
    private final RecordedFolders volumes;
    private final RecordedFolders snapshots;
    private final PeerSnapshots peers;
    private final FolderForm form;
    private final Promises promises;
    private final CopyRoom copies;
    private final InstantSource clock;
    private final KeptNames names;

    DirectorySnapshotStore(BaseFolderContext context, FolderForm form, Promises promises, InstantSource clock) {
        this.context = context;
        this.form = form;
        this.promises = promises;
        this.copies = new CopyRoom(context, form, promises, clock);
        this.volumes = context.layout().volumes();
        this.snapshots = context.layout().snapshots();
        this.peers = new PeerSnapshots(volumes);
        this.clock = clock;
        this.names = new KeptNames(snapshots.folder(), snapshots::idsIfThere, clock);
    }

    /** Returns what makes its copies, which are of the volumes' store as well. */
    CopyRoom copies() {
        return copies;
    }

    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        SnapshotMethod.check(request.parameters());
        return context.failures().during("taking snapshot " + request.name() + " of volume " + request.source(), () -> {
            boolean ours = context.visit();
            Optional<StoredSnapshot> named = findByName(request.name(), work);
            if (named.isPresent()) {
                if (ours) {
                    context.syncs().sync(snapshots, work); // the call that took it may have ended before that
                }
                return complete(named.get(), ours, work);
            }
            String volume = request.source().value();
            if (!volumes.accepts(volume)) {
                throw new StorageException(new Failure.VolumeNotFound(volume));
            }
            if (!volumes.holds(volume)) {
                context.proveAbsence("volume " + volume);
                throw new StorageException(new Failure.VolumeNotFound(volume));
            }
            String free = "";
            for (String id : SnapshotIds.candidates(request.source(), request.name(), maxIdBytes)) {
                Optional<StoredSnapshot> there = look(new NativeId(id), id);
                if (there.isPresent() && isOf(there.get(), request)) {
                    return complete(there.get(), ours, work);
                }
                if (there.isEmpty() && free.isEmpty()) {
                    free = id;
                }
            }
            if (free.isEmpty()) {
                throw new StorageException(new Failure.SnapshotConflict(
                        volume + "-" + request.name(), "its id is taken by snapshots of other volumes"));
            }
            String id = free;
            form.checkCopy(volumes.place(volume));
            return context.copies().taking(volume, "snapshot " + id, () -> make(request, id, ours, work));
        });
    }

    private static boolean isOf(StoredSnapshot snapshot, SnapshotRequest request) {
        return snapshot.group().isEmpty()
                && snapshot.source().equals(request.source())
                && snapshot.name().equals(Optional.of(request.name()));
    }

    /**
     * Returns a snapshot that exists for a call that asks for it to be taken. One that democratic-csi took is complete
     * only if its copy came to the end.
     */
    private StoredSnapshot complete(StoredSnapshot found, boolean ours, Work work) throws IOException {
        String id = found.id().value();
        if (recorded(id).isEmpty()) {
            context.copies().taking(found.source().value(), "looking through snapshot " + id, () -> {
                peers.requireComplete(found, snapshots.place(id), scratch(ours), context.failures(), work::checkEnding);
                return found;
            });
        } else {
            form.settleAgain(snapshots.place(id), work);
            form.seal(snapshots.place(id), work); // the call that took it may have ended before that
        }
        return found;
    }

    /** Returns the folder for files of names: a base that only democratic-csi has used has none of its own. */
    private Path scratch(boolean ours) {
        return ours ? context.layout().partial() : context.layout().base();
    }

    private Optional<SnapshotRecord> recorded(String folder) throws IOException {
        return Records.read(snapshots.record(folder)).flatMap(SnapshotRecord::of);
    }

    private StoredSnapshot make(SnapshotRequest request, String id, boolean ours, Work work) throws IOException {
        Path source = volumes.place(request.source().value());
        Optional<Capacity> size = recordedSize(request.source().value());
        Optional<TreeMeasure.Amount> held =
                size.isPresent() ? Optional.empty() : Optional.of(copies.measure(source, scratch(ours), work));
        SnapshotRecord record = new SnapshotRecord(
                request.name(),
                request.source(),
                size.or(() -> held.map(it -> Capacity.ofBytes(it.content()))).orElse(Capacity.ZERO),
                now(),
                Optional.empty());
        NewFolder newFolder = new NewFolder(
                snapshots, id, record.fields(), Optional.of(source), RootAttributes.AS_IT_IS, form, Capacity.ZERO);
        copies.snapshot(newFolder, size, held, ours, work);
        form.seal(snapshots.place(id), work.finishing());
        return record.stored(new NativeId(id));
    }

    /** Returns the time of a snapshot that is taken now. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Returns the size that the volume has, which a restored volume needs; if it is unknown, the size of its content.
     */
    Capacity size(NativeId source, boolean ours, Work work) throws IOException {
        Optional<Capacity> recorded = recordedSize(source.value());
        return recorded.isPresent()
                ? recorded.get()
                : Capacity.ofBytes(copies.measure(volumes.place(source.value()), scratch(ours), work)
                        .content());
    }

    private Optional<Capacity> recordedSize(String volume) throws IOException {
        return Records.read(volumes.record(volume)).flatMap(fields -> new VolumeRecord(fields).capacity());
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        return context.failures().during("looking for snapshot " + id, () -> {
            context.visit();
            Optional<String> folder = SnapshotIds.folder(id, snapshots);
            if (folder.isEmpty()) {
                return Optional.empty();
            }
            Optional<StoredSnapshot> found = look(id, folder.get());
            if (found.isEmpty()) {
                context.proveAbsence("snapshot " + id);
            }
            return found;
        });
    }

    private Optional<StoredSnapshot> look(NativeId id, String folder) throws IOException {
        Optional<BasicFileAttributes> found = snapshots.look(folder);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return shown(id, folder, found.get(), recorded(folder));
    }

    private Optional<StoredSnapshot> shown(
            NativeId id, String folder, BasicFileAttributes found, Optional<SnapshotRecord> record) throws IOException {
        if (record.isEmpty()) { // democratic-csi's, unless it was removed just now
            refuseTorn(folder);
            return snapshots.holds(folder) ? Optional.of(peers.read(id, folder, found)) : Optional.empty();
        }
        return context.groups().show(folder, record.get()) ? record.map(r -> r.stored(id)) : Optional.empty();
    }

    /** Returns whether a snapshot has a folder, and is none of a group that is not there. */
    private boolean holds(String folder) throws IOException {
        if (!snapshots.holds(folder)) {
            return false;
        }
        Optional<SnapshotRecord> record = recorded(folder);
        if (record.isEmpty()) {
            refuseTorn(folder);
        }
        return record.isEmpty() || context.groups().show(folder, record.get());
    }

    /** Throws if a snapshot whose record is damaged is one of a group: it is not to be taken for democratic-csi's. */
    private void refuseTorn(String folder) throws IOException {
        if (isTornMember(folder)) {
            throw new IOException(snapshots.record(folder)
                    + " is no record of a snapshot any more, and a group has that snapshot; restore it");
        }
    }

    private boolean isTornMember(String folder) throws IOException {
        return Records.isThere(snapshots.record(folder))
                && recorded(folder).isEmpty()
                && context.groups().list(folder);
    }

    private Optional<StoredSnapshot> listed(String folder) throws IOException {
        Optional<BasicFileAttributes> found =
                RecordedFolders.stat(snapshots.place(folder)).filter(BasicFileAttributes::isDirectory);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Optional<SnapshotRecord> record = recorded(folder);
        boolean listed = record.isPresent() ? context.groups().list(record.get()) : !isTornMember(folder);
        return listed ? shown(new NativeId(folder), folder, found.get(), record) : Optional.empty();
    }

    /** Returns a snapshot of a group that lists it; empty if it has no folder. */
    Optional<StoredSnapshot> member(String folder) throws IOException {
        return look(new NativeId(folder), folder);
    }

    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        return context.failures().during("looking for a snapshot named " + name, () -> {
            context.visit();
            for (String id : names.now()) {
                if (SnapshotIds.mayBeNamed(id, name)) {
                    Optional<StoredSnapshot> found = listed(id)
                            .filter(s -> s.group().isEmpty())
                            .filter(s -> s.name().equals(Optional.of(name)));
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            context.visit(); // if the base has gone meanwhile, the name could not be found
            return Optional.empty();
        });
    }

    @Override
    public void delete(NativeId id, Work work) {
        context.failures().during("deleting snapshot " + id, () -> {
            Optional<String> folder = SnapshotIds.folder(id, snapshots);
            if (folder.isPresent()
                    && recorded(folder.get()).filter(SnapshotRecord::isMember).isPresent()) {
                refuse(id, folder.get());
            } else if (folder.isPresent()) {
                refuseTorn(folder.get());
                promises.release(
                        Promises.ofSnapshot(folder.get()),
                        () -> FolderRemoval.remove(context, snapshots, folder.get(), work));
            }
            return id;
        });
    }

    /** Refuses to delete a snapshot of a group; one that is hidden is absent. */
    private void refuse(NativeId id, String folder) throws IOException {
        context.visit();
        look(id, folder).flatMap(StoredSnapshot::group).ifPresent(group -> {
            throw new StorageException(new Failure.GroupMember(id.value(), group.value()));
        });
        context.proveAbsence("snapshot " + id);
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        return context.failures().during("listing snapshots", () -> {
            context.visit();
            Page<StoredSnapshot> found = page.cut(names.now(), id -> {
                if (source.isPresent() && !SnapshotIds.mayBeOf(id, source.get())) {
                    return Optional.empty();
                }
                return listed(id).filter(s -> source.isEmpty() || source.get().equals(s.source()));
            });
            context.visit(); // if the base has gone meanwhile, entries would be missing
            return found;
        });
    }

    /** Returns the folder with the content of a snapshot; empty if there is none. */
    Optional<Path> place(NativeId id) throws IOException {
        Optional<String> folder = SnapshotIds.folder(id, snapshots);
        return folder.isPresent() && holds(folder.get()) ? folder.map(snapshots::place) : Optional.empty();
    }

    /**
     * Returns the folder with the content of a snapshot, for a volume that is made from it; throws if there is none.
     */
    Path folderOf(NativeId id) throws IOException {
        Optional<String> folder = SnapshotIds.folder(id, snapshots);
        if (folder.isPresent() && !holds(folder.get())) {
            context.proveAbsence("snapshot " + id);
        }
        if (folder.isEmpty() || !holds(folder.get())) {
            throw new StorageException(new Failure.SnapshotNotFound(id.value()));
        }
        return snapshots.place(folder.get());
    }
}
