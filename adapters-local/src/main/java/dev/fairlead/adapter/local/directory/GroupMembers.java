package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.folder.NewFolder;
import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chooses the snapshots that a group is to have: an id, a source and a size for each of its volumes. */
final class GroupMembers {
    private final BaseFolderContext context;
    private final FolderForm form;
    private final DirectorySnapshotStore store;
    private final RecordedFolders volumes;
    private final RecordedFolders snapshots;

    GroupMembers(BaseFolderContext context, FolderForm form, DirectorySnapshotStore store) {
        this.context = context;
        this.form = form;
        this.store = store;
        this.volumes = context.layout().volumes();
        this.snapshots = context.layout().snapshots();
    }

    /** Holds a snapshot that is to be taken, and what it takes if it shares no blocks. */
    record SizedMember(NewFolder folder, Capacity size) {}

    /** Throws if there is no such volume. */
    void requireVolume(NativeId source) throws IOException {
        if (volumes.accepts(source.value()) && volumes.holds(source.value())) {
            return;
        }
        if (volumes.accepts(source.value())) {
            context.proveAbsence("volume " + source);
        }
        throw new StorageException(new Failure.VolumeNotFound(source.value()));
    }

    /** Returns whether a snapshot has an id that one of the group would get; that may be a single one. */
    boolean areBegun(GroupTake wanted) throws IOException {
        for (NativeId source : wanted.sources()) {
            String first = SnapshotIds.candidates(source, wanted.name(), wanted.maxIdBytes())
                    .getFirst();
            if (snapshots.holds(first)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the snapshots that a group is to have, in the order of their volumes. */
    List<SizedMember> of(GroupTake wanted, Work work) throws IOException {
        Instant instant = store.now();
        List<String> taken = new ArrayList<>();
        List<SizedMember> members = new ArrayList<>();
        for (NativeId source : wanted.sources()) {
            requireVolume(source);
            Path place = volumes.place(source.value());
            form.checkCopy(place);
            Capacity size = store.size(source, true, work);
            SnapshotRecord record = new SnapshotRecord(wanted.name(), source, size, instant, Optional.of(wanted.id()));
            String id = free(source, wanted, taken);
            taken.add(id);
            NewFolder folder = new NewFolder(
                    snapshots, id, record.fields(), Optional.of(place), RootAttributes.AS_IT_IS, form, Capacity.ZERO);
            members.add(new SizedMember(folder, form.copySize(place, size)));
        }
        return members;
    }

    /** Returns an id that no snapshot has; a single one of the same name may have the usual one. */
    private String free(NativeId source, GroupTake wanted, List<String> taken) throws IOException {
        for (String id : SnapshotIds.candidates(source, wanted.name(), wanted.maxIdBytes())) {
            if (!taken.contains(id) && !snapshots.holds(id)) {
                return id;
            }
        }
        throw new StorageException(new Failure.SnapshotConflict(
                source + "-" + wanted.name(), "its id is taken by snapshots that are none of this group"));
    }
}
