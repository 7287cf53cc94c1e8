package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.folder.FolderCreation;
import dev.fairlead.adapter.local.directory.folder.FolderRemoval;
import dev.fairlead.adapter.local.directory.folder.NewFolder;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.adapter.local.directory.tree.KeptNames;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Keeps volumes as folders, of which {@link BaseFolderLayout} knows the places; {@link FolderCreation} makes them. */
final class DirectoryVolumeStore implements VolumeStore {
    private final BaseFolderContext context;
    private final RecordedFolders volumes;
    private final VolumeRecords records;
    private final RootAttributes attributes;
    private final FolderForm form;
    private final Promises promises;
    private final CopyRoom copies;
    private final DirectorySnapshotStore snapshots;
    private final KeptNames names;

    DirectoryVolumeStore(
            BaseFolderContext context,
            RootAttributes attributes,
            FolderForm form,
            Promises promises,
            DirectorySnapshotStore snapshots,
            InstantSource clock) {
        this.context = context;
        this.volumes = context.layout().volumes();
        this.records = new VolumeRecords(context);
        this.attributes = attributes;
        this.form = form;
        this.promises = promises;
        this.copies = snapshots.copies();
        this.snapshots = snapshots;
        this.names = new KeptNames(volumes.folder(), volumes::idsIfThere, clock);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return form.media();
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        if (form.medium(volumes.folder()).kind() == VolumeMedium.Kind.FILESYSTEM
                && request.capabilities().stream().anyMatch(VolumeCapability::isBlock)) {
            // What a store whose disk is away would have cannot be told, and this is final.
            boolean _ =
                    context.failures().during("looking at " + context.layout().base(), context::visit);
            throw new StorageException(new Failure.Unsupported(
                    "a raw block volume of a store of folders",
                    "use volumeMode: Filesystem, or a connection that has block devices"));
        }
        if (!volumes.accepts(suggested.value())) {
            throw new StorageException(new Failure.InvalidRequest(
                    "name",
                    "gives the id '" + suggested
                            + "' (expected: 1 to 128 of A-Z, a-z, 0-9, '_' and '-', the first a letter or digit)"));
        }
        return new Birth(suggested, request, form.size(request.capacity()), medium(suggested.value()), Map.of());
    }

    /** Returns what the root of a volume's folder gets; that of a block device is nobody's. */
    private RootAttributes attributes(VolumeMedium medium) {
        return medium.kind() == VolumeMedium.Kind.FILESYSTEM ? attributes : RootAttributes.AS_IT_IS;
    }

    private VolumeMedium medium(String id) {
        return form.medium(volumes.place(id));
    }

    @Override
    public Optional<StoredVolume> existing(Birth birth, Work work) {
        return context.failures()
                .during("looking for volume " + birth.id(), () -> settled(birth, context.visit(), work));
    }

    /**
     * Returns an existing volume. It is synced first, since the call that made it may have ended before that, and the
     * caller relies on it.
     */
    private Optional<StoredVolume> settled(Birth birth, boolean ours, Work work) throws IOException {
        Optional<StoredVolume> found = look(birth.id());
        if (found.isPresent() && ours) {
            context.syncs().sync(volumes, work);
        }
        return found.isPresent()
                ? Optional.of(recognized(found.get(), birth.request().content(), work))
                : found;
    }

    private StoredVolume recognized(StoredVolume found, Content asked, Work work) throws IOException {
        Path folder = volumes.place(found.id().value());
        Optional<Path> source = switch (asked) {
            case Content.OfVolume(NativeId id) ->
                look(id).map(it -> volumes.place(it.id().value()));
            case Content.OfSnapshot(NativeId id) -> snapshots.place(id);
            case Content.Empty _, Content.Transferred _ -> Optional.empty();
        };
        Path partial = context.layout().partial(); // a base that only democratic-csi has used has none
        Path scratch = Files.isDirectory(partial) ? partial : context.layout().base();
        PeerCopy copy = new PeerCopy(found, folder, scratch, attributes(found.medium()));
        return copy.isUntold(asked)
                ? context.copies()
                        .taking(
                                sourceVolume(asked, work),
                                "comparing volume " + found.id(),
                                () -> copy.as(asked, source, work::checkEnding))
                : found;
    }

    @Override
    public Creation create(Birth birth, Work work) {
        return context.failures().during("making volume " + birth.id(), () -> {
            boolean ours = context.visit();
            Optional<StoredVolume> there = settled(birth, ours, work);
            if (there.isPresent()) {
                form.settleAgain(volumes.place(birth.id().value()), work);
                if (there.get().name().isEmpty() && birth.request().content().equals(Content.EMPTY)) {
                    new PeerFolder(context, attributes).finish(birth.id(), ours, work);
                }
                return new Creation(there.get(), false);
            }
            VolumeRecord record = VolumeRecord.of(birth);
            NewFolder newFolder = new NewFolder(
                    volumes,
                    birth.id().value(),
                    record.fields(),
                    source(birth.request().content()),
                    attributes(birth.medium()),
                    form,
                    birth.capacity());
            make(birth, newFolder, ours, work);
            return new Creation(stored(birth.id().value(), record), true);
        });
    }

    private NewFolder make(Birth birth, NewFolder newFolder, boolean ours, Work work) throws IOException {
        Content content = birth.request().content();
        return newFolder.source().isEmpty()
                ? promises.admit(
                        newFolder.id(),
                        newFolder.size(),
                        work,
                        () -> FolderCreation.deliver(context, newFolder, ours, work))
                : copies.volume(newFolder, content, sourceVolume(content, work), ours, work);
    }

    private String sourceVolume(Content content, Work work) {
        return switch (content) {
            case Content.OfVolume(NativeId id) -> id.value();
            case Content.OfSnapshot(NativeId id) ->
                snapshots
                        .find(id, work)
                        .map(snapshot -> snapshot.source().value())
                        .orElse(id.value());
            case Content.Empty _, Content.Transferred _ ->
                throw new IllegalArgumentException("content that is not copied: " + content);
        };
    }

    private Optional<Path> source(Content content) throws IOException {
        return switch (content) {
            case Content.Empty _ -> Optional.empty();
            case Content.OfVolume(NativeId id) -> context.layout().elsewhere().volume(id, this::folderOf);
            case Content.OfSnapshot(NativeId id) -> context.layout().elsewhere().snapshot(id, snapshots::folderOf);
            case Content.Transferred _ ->
                throw new IllegalArgumentException("content of another connection, for a store that takes none in");
        };
    }

    private Path folderOf(NativeId id) throws IOException {
        if (look(id).isEmpty()) {
            context.proveAbsence("volume " + id);
            throw new StorageException(new Failure.VolumeNotFound(id.value()));
        }
        return volumes.place(id.value());
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return context.failures().during("looking for volume " + id, () -> {
            context.visit();
            Optional<StoredVolume> found = look(id);
            if (found.isEmpty() && volumes.accepts(id.value())) {
                context.proveAbsence("volume " + id);
            }
            return found;
        });
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return volumes.accepts(id.value()) ? Optional.of(medium(id.value())) : Optional.empty();
    }

    private Optional<StoredVolume> look(NativeId id) throws IOException {
        if (!volumes.accepts(id.value()) || !volumes.holds(id.value())) {
            return Optional.empty();
        }
        VolumeRecord record = records.read(id.value());
        // Without a record it is one of democratic-csi's, unless it was removed just now.
        return record.equals(VolumeRecord.NONE) && !volumes.holds(id.value())
                ? Optional.empty()
                : Optional.of(stored(id.value(), record));
    }

    private StoredVolume stored(String id, VolumeRecord record) {
        return new StoredVolume(
                new NativeId(id), record.name(), record.capacity(), medium(id), record.content(), record.notes());
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        FolderGrowth growth = new FolderGrowth(context, form, promises, records);
        return change(id, work, ours -> growth.grow(id.value(), range, ours, work));
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        if (!notes.isEmpty()) {
            change(id, work, ours -> {
                VolumeRecord now = records.read(id.value());
                return records.settle(id.value(), now, now.noting(notes), ours, work);
            });
        }
    }

    /** Changes a record, and returns the volume; may change the folder before. */
    private StoredVolume change(NativeId id, Work work, BaseFolderContext.Change<VolumeRecord> change) {
        return context.failures().during("changing the record of volume " + id, () -> {
            boolean ours = context.visit();
            folderOf(id);
            return stored(id.value(), context.alone(volumes, id.value(), ours, work, settled -> {
                folderOf(id); // another node may have deleted it meanwhile
                return change.apply(settled);
            }));
        });
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return new DeletionCheck(
                find(id, work), List.of()); // clones and snapshots are copies, so nothing depends on it
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        if (volumes.accepts(id.value())) {
            context.failures().during("deleting volume " + id, () -> {
                form.checkUnused(id.value(), volumes.place(id.value()));
                promises.release(id.value(), () -> FolderRemoval.remove(context, volumes, id.value(), work));
                return id;
            });
        }
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        return context.failures().during("listing volumes", () -> {
            context.visit();
            Page<StoredVolume> found = page.cut(
                    names.now(),
                    id -> volumes.isFolder(id) ? Optional.of(stored(id, records.read(id))) : Optional.empty());
            context.visit(); // if the base has gone meanwhile, entries would be missing
            return found;
        });
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return context.failures().during("asking for room", () -> {
            context.visit();
            return promises.room(work);
        });
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return !form.enforcesSize();
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return Optional.of(snapshots);
    }

    @Override
    public boolean busy() {
        return context.trash().isBusy();
    }

    @Override
    public boolean isMarkedAsOwn() {
        return context.base().ownerMark().isMade();
    }

    @Override
    public void close() {
        context.trash().close();
    }
}
