package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;

/** Removes a folder from its place at once; its content is deleted in the background. */
public final class FolderRemoval {
    private FolderRemoval() {}

    /**
     * Removes a folder and returns once it is proved absent and its absence is synced. An absent one is synced too, if
     * the base is ours: the call that removed it may have ended before that.
     */
    public static void remove(BaseFolderContext context, RecordedFolders folders, String id, Work work)
            throws IOException {
        boolean ours = context.visit();
        boolean there = folders.holds(id);
        if (!there && !ours) {
            context.proveAbsence(folders.kind() + " " + id);
            return;
        }
        context.prepare(ours, work);
        context.claims().refuseOthers(folders, id, context.trash(), work);
        discard(context, folders, id, work);
        if (!context.creations().isBusy(context.partial(folders, id))) {
            context.trash().discard(context.partial(folders, id), work);
            Records.remove(context.beside(folders, id), work);
        }
        Records.remove(folders.record(id), work);
        context.syncs().sync(folders, work);
        if (folders.holds(id) || Files.exists(folders.record(id), LinkOption.NOFOLLOW_LINKS)) {
            throw context.failures().unavailable(folders.place(id) + " was removed and is still there");
        }
        context.proveAbsence(folders.kind() + " " + id);
    }

    private static void discard(BaseFolderContext context, RecordedFolders folders, String id, Work work)
            throws IOException {
        try {
            context.trash().discard(folders.place(id), work);
        } catch (IOException e) {
            if (DirectoryFailures.errno(e) == Errno.EBUSY) {
                throw new StorageException(
                        new Failure.InUse(folders.kind() + " " + id, "a mount on " + folders.place(id)), e);
            }
            throw e;
        }
    }
}
