package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What those who work on one connection's base folder share.
 *
 * @param making what this process is making
 */
record Grounds(
        TopFolder base, Trash trash, Making making, ShelfSync syncs, CopyTurns copies, DirectoryFailures failures) {
    Layout layout() {
        return base.layout();
    }

    /** Before anything is read; the answer is false where there is no base of ours yet. */
    boolean visit() throws IOException {
        boolean ours = base.visit() == TopFolder.State.READY;
        if (ours) {
            trash.emptyOnce();
        }
        return ours;
    }

    /** After a look that found something absent: whether the base is there, and was from the visit on. */
    void proveAbsence(String what) throws IOException {
        base.proveAbsence(what);
    }

    /**
     * Before anything is changed, after a visit. What earlier processes left half made goes out of the way first.
     *
     * @param ours what the visit answered
     */
    void prepare(boolean ours, Work work) throws IOException {
        if (ours) {
            base.claim().renew(making, work);
        } else {
            base.prepare(making, work);
        }
        trash.sweepOnce(making, work);
    }

    /** Where the folder of an id is made. */
    Path partial(Shelf shelf, String id) {
        return layout().partial().resolve(making.prefix() + "folder." + shelf.kind() + "." + id);
    }

    /** Where the record of an id is written. */
    Path beside(Shelf shelf, String id) {
        return layout().partial().resolve(making.prefix() + "record." + shelf.kind() + "." + id);
    }
}
