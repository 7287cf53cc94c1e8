package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;

/** Removes a folder from its shelf at once; its content is deleted in the background. */
final class Removal {
    private Removal() {}

    /**
     * Removes a folder and returns once it is proved absent and its absence is synced. An absent one is synced too, if
     * the base is ours: the call that removed it may have ended before that.
     */
    static void remove(Grounds grounds, Shelf shelf, String id, Work work) throws IOException {
        boolean ours = grounds.visit();
        boolean there = shelf.holds(id);
        if (!there && !ours) {
            grounds.proveAbsence(shelf.kind() + " " + id);
            return;
        }
        grounds.prepare(ours, work);
        discard(grounds, shelf, id, work);
        if (!grounds.making().isBusy(grounds.partial(shelf, id))) {
            grounds.trash().discard(grounds.partial(shelf, id), work);
            Records.remove(grounds.beside(shelf, id), work);
        }
        Records.remove(shelf.record(id), work);
        grounds.syncs().sync(shelf, work);
        if (shelf.holds(id) || Files.exists(shelf.record(id), LinkOption.NOFOLLOW_LINKS)) {
            throw grounds.failures().unavailable(shelf.place(id) + " was removed and is still there");
        }
        grounds.proveAbsence(shelf.kind() + " " + id);
    }

    private static void discard(Grounds grounds, Shelf shelf, String id, Work work) throws IOException {
        try {
            grounds.trash().discard(shelf.place(id), work);
        } catch (IOException e) {
            if (DirectoryFailures.errno(e) == Errno.EBUSY) {
                throw new StorageException(
                        new Failure.InUse(shelf.kind() + " " + id, "a mount on " + shelf.place(id)), e);
            }
            throw e;
        }
    }
}
