package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.record.GroupRecord;
import dev.fairlead.adapter.local.directory.record.GroupRecords;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds what the users of one connection's base folder share.
 *
 * @param creations what this process is making at the moment
 * @param claims what other nodes that share the base are making
 */
public record BaseFolderContext(
        BaseFolderGuard base,
        Trash trash,
        CreationsInProgress creations,
        NodeClaims claims,
        FolderSync syncs,
        CopyTurns copies,
        DirectoryFailures failures) {
    private static final Logger LOG = LoggerFactory.getLogger(BaseFolderContext.class);
    private static final String FOLDER = "folder.";

    public BaseFolderLayout layout() {
        return base.layout();
    }

    /** Checks the base before anything is read; returns false if there is no base of ours yet. */
    public boolean visit() throws IOException {
        boolean ours = base.visit() == BaseFolderGuard.State.READY;
        if (ours) {
            trash.emptyOnce();
            claims.seen();
        }
        return ours;
    }

    /**
     * Throws if something that was not found may still exist, because the base is not there or was not there all the
     * time since the visit.
     */
    public void proveAbsence(String what) throws IOException {
        base.proveAbsence(what);
    }

    /**
     * Prepares the base after a visit, before anything is changed there. What earlier processes left unfinished is
     * removed first.
     *
     * @param ours the result of the visit
     */
    public void prepare(boolean ours, Work work) throws IOException {
        if (ours) {
            base.ownerMark().renew(creations, work);
        } else {
            base.prepare(creations, work);
        }
        claims.begin(trash, work); // first: what another process of this node is making is no leftover
        trash.sweepOnce(creations, work);
        sweepGroups(work);
    }

    /**
     * Takes away what takes and deletions of groups that were cut have left, unless a call is at work on the group.
     * What cannot be taken away now holds up no other call.
     */
    private void sweepGroups(Work work) {
        Path folder = layout().groups().folder();
        if (!creations.beginSweep(folder)) {
            return;
        }
        boolean ended = false;
        try {
            failures.during("looking for groups of snapshots that were cut", () -> groups().unfinished())
                    .forEach(group -> sweep(group, work));
            ended = true;
        } catch (StorageException e) {
            leave(folder, e);
            ended = true;
        } finally {
            if (!ended) {
                creations.sweepAgain(folder);
            }
        }
    }

    private void sweep(String group, Work work) {
        Path record = layout().groups().record(group);
        if (creations.begin(record)) {
            try {
                var _ = failures.during(
                        "taking away what is left of the group of snapshots " + group, () -> clearGroup(group, work));
            } catch (StorageException e) {
                leave(layout().groups().folder(), e);
            } finally {
                creations.end(record);
            }
        } else {
            creations.sweepLater(layout().groups().folder()); // who has it may leave something
        }
    }

    private void leave(Path folder, StorageException why) {
        if (why.failure() instanceof Failure.Cancelled) {
            creations.sweepAgain(folder); // the caller has gone, and the next one goes on
            return;
        }
        creations.sweepLater(folder);
        LOG.atWarn()
                .addKeyValue("folder", folder)
                .log("{}; this is tried again after a minute", why.failure().message());
    }

    /** Returns the records of groups of snapshots. */
    public GroupRecords groups() {
        return new GroupRecords(layout().groups().folder(), layout().snapshots().records());
    }

    /**
     * Moves snapshots of a group that it does not list to the trash, and ends its deletion if that has begun; returns
     * the ids of those. The caller has the group's record among the creations in progress.
     *
     * <p>Those of a group that is not being deleted count as unfinished: what belongs to them is destroyed only if it
     * says so itself, since a base that was rolled back may hold what was complete later.
     */
    public List<String> clearGroup(String group, Work work) throws IOException {
        Optional<GroupRecord> record = groups().read(group);
        boolean deleting = record.filter(GroupRecord::deleting).isPresent();
        RecordedFolders snapshots = layout().snapshots();
        List<String> hidden = groups().members(group).stream()
                .filter(id -> snapshots.accepts(id))
                .filter(id -> record.filter(it -> it.has(id)).isEmpty())
                .toList();
        if (!deleting && !hidden.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("group", group)
                    .addKeyValue("snapshots", hidden)
                    .log("snapshots of a group that was never complete go to the trash");
        }
        for (String id : hidden) {
            if (!groups().read(group).equals(record)) {
                throw failures.unavailable("the record of the group of snapshots " + group + " has changed meanwhile");
            }
            trash.discard(snapshots.place(id), !deleting, work);
            Records.remove(snapshots.record(id), work);
        }
        syncs.sync(snapshots, work);
        if (deleting) {
            Records.remove(layout().groups().record(group), work);
            syncs.sync(layout().groups(), work);
        }
        return hidden;
    }

    /**
     * Changes what exists; if other nodes share the base, while none of them makes, changes or deletes it.
     *
     * @param ours the result of the visit
     */
    public <T> T alone(RecordedFolders folders, String id, boolean ours, Work work, Change<T> change)
            throws IOException {
        if (!claims.areNeeded()) {
            return change.apply(ours);
        }
        prepare(ours, work);
        claims.take(folders, id, trash, work);
        try {
            return change.apply(true);
        } finally {
            claims.release(folders, id, work.finishing());
        }
    }

    /** Changes something in a base. */
    @FunctionalInterface
    public interface Change<T> {
        /** @param ours whether the base is ours by now */
        T apply(boolean ours) throws IOException;
    }

    /** Returns the path at which the folder of an id is made. */
    public Path partial(RecordedFolders folders, String id) {
        return layout().partial().resolve(creations.prefix() + FOLDER + folders.kind() + "." + id);
    }

    /** Returns what a folder that is being made becomes, as the word for its kind, a slash and its id. */
    public static String subject(Path partial) {
        String name = String.valueOf(partial.getFileName());
        String subject = name.substring(name.indexOf(FOLDER) + FOLDER.length());
        int dot = subject.indexOf('.');
        return subject.substring(0, dot) + "/" + subject.substring(dot + 1);
    }

    /** Returns the path at which the record of an id is written. */
    public Path beside(RecordedFolders folders, String id) {
        return layout().partial().resolve(creations.prefix() + "record." + folders.kind() + "." + id);
    }
}
