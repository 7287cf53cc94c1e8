package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Holds what the users of one connection's base folder share.
 *
 * @param making what this process is making at the moment
 */
record Grounds(
        TopFolder base, Trash trash, Making making, ShelfSync syncs, CopyTurns copies, DirectoryFailures failures) {
    Layout layout() {
        return base.layout();
    }

    /** Checks the base before anything is read; returns false if there is no base of ours yet. */
    boolean visit() throws IOException {
        boolean ours = base.visit() == TopFolder.State.READY;
        if (ours) {
            trash.emptyOnce();
        }
        return ours;
    }

    /**
     * Throws if something that was not found may still exist, because the base is not there or was not there all the
     * time since the visit.
     */
    void proveAbsence(String what) throws IOException {
        base.proveAbsence(what);
    }

    /**
     * Prepares the base after a visit, before anything is changed there. What earlier processes left unfinished is
     * removed first.
     *
     * @param ours the result of the visit
     */
    void prepare(boolean ours, Work work) throws IOException {
        if (ours) {
            base.claim().renew(making, work);
        } else {
            base.prepare(making, work);
        }
        trash.sweepOnce(making, work);
    }

    /** Returns the path at which the folder of an id is made. */
    Path partial(Shelf shelf, String id) {
        return layout().partial().resolve(making.prefix() + "folder." + shelf.kind() + "." + id);
    }

    /** Returns the path at which the record of an id is written. */
    Path beside(Shelf shelf, String id) {
        return layout().partial().resolve(making.prefix() + "record." + shelf.kind() + "." + id);
    }
}
