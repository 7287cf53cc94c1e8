package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.GroupRecord;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Brings the snapshots of a group into a base, all of one instant, completely or not at all.
 *
 * <p>Each is made as {@link FolderCreation} makes one, and is hidden in its place until the record of the group lists
 * it: that is put in its place by one rename, after all of them. If a step fails, the record is changed to one of a
 * group that is being deleted, and then all that was made is removed.
 */
public final class GroupCreation {
    private final BaseFolderContext context;
    private final NewGroup group;
    private final List<FolderCreation> members;
    private final Work work;

    private GroupCreation(BaseFolderContext context, NewGroup group, Work work) {
        this.context = context;
        this.group = group;
        this.work = work;
        this.members = group.members().stream()
                .map(member -> new FolderCreation(context, member, work))
                .toList();
    }

    /**
     * Describes a group that is to be taken.
     *
     * @param members its snapshots, each with its source
     * @param form of all of them, which has an instant
     */
    public record NewGroup(String id, GroupRecord record, List<NewFolder> members, FolderForm form) {
        public NewGroup {
            members = List.copyOf(members);
        }
    }

    /**
     * Takes a group in a base that is prepared. The caller has the group's record among the creations in progress.
     *
     * <p>Bases that nodes share have no groups, so nothing is claimed.
     */
    public static void deliver(BaseFolderContext context, NewGroup group, Work work) throws IOException {
        GroupCreation creation = new GroupCreation(context, group, work);
        List<Path> begun = new ArrayList<>();
        try {
            for (FolderCreation member : creation.members) {
                if (!context.creations().begin(member.partial())) {
                    throw context.failures()
                            .unavailable("snapshot " + member.newFolder().id() + " is being made already");
                }
                begun.add(member.partial());
            }
            creation.deliver();
        } finally {
            begun.forEach(context.creations()::end);
        }
    }

    private void deliver() throws IOException {
        try {
            run();
        } catch (IOException | StorageException e) {
            takeBack(e);
            throw e;
        }
    }

    private void run() throws IOException {
        makeFolder();
        Map<Path, Path> copies = new LinkedHashMap<>();
        for (FolderCreation member : members) {
            member.clear();
            copies.put(member.partial(), member.newFolder().source().orElseThrow());
        }
        if (!group.form().copyTogether(copies, work)) {
            throw context.failures()
                    .unavailable("volumes below " + context.layout().base() + " have no instant in common now");
        }
        Work finishing = work.finishing();
        for (FolderCreation member : members) {
            member.made();
            member.placeCopy(finishing);
            Path place = context.layout().snapshots().place(member.newFolder().id());
            if (!member.isPlaced()) {
                throw context.failures().unavailable(place + " was put in its place and is not there");
            }
            group.form().seal(place, finishing);
        }
        write(context, group.id(), group.record(), finishing);
        for (FolderCreation member : members) {
            member.settleCopy(finishing);
        }
    }

    /** Makes the folder of groups with the first one: without it nobody looks for what a cut call has left. */
    private void makeFolder() throws IOException {
        Path folder = context.layout().groups().folder();
        if (!Records.isFolder(folder)) {
            work.effect(new Effect("mkdir", folder.toString()), () -> Files.createDirectories(folder));
            FolderSync.sync(work, context.layout().state());
        }
        if (!Records.isFolder(folder)) {
            throw new IOException(folder + " was made and is not there");
        }
    }

    /** Writes the record of a group durably. */
    public static void write(BaseFolderContext context, String id, GroupRecord record, Work work) throws IOException {
        RecordedFolders groups = context.layout().groups();
        Path beside = context.beside(groups, id);
        Records.prepare(beside, record.fields(), work);
        Records.put(beside, groups.record(id), work);
        context.syncs().sync(groups, work);
        if (!context.groups().read(id).equals(Optional.of(record))) {
            throw new IOException(groups.record(id) + " was written and reads back differently");
        }
    }

    /** Removes what was made; if that fails, throws a failure that the caller will retry. */
    private void takeBack(Exception failure) {
        try {
            Work finishing = work.finishing();
            RecordedFolders groups = context.layout().groups();
            Path record = groups.record(group.id());
            Records.remove(context.beside(groups, group.id()), finishing);
            boolean listed = Records.isThere(record);
            if (listed) { // first: all of them are hidden then, and known as what is to be deleted
                write(context, group.id(), group.record().asDeleting(), finishing);
            }
            members.forEach(member -> member.takeBack(failure));
            if (listed) {
                Records.remove(record, finishing);
                context.syncs().sync(groups, finishing);
            }
        } catch (IOException | StorageException e) {
            StorageException retried = context.failures()
                    .unavailable("taking the group snapshot " + group.id() + " failed (" + failure.getMessage()
                            + "), and what was made could not be taken back: " + e.getMessage());
            retried.addSuppressed(failure);
            throw retried;
        }
    }
}
