package dev.fairlead.adapter.freenas.store.snapshot;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.store.dataset.RemovalNotes;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.Optional;

/** Deletes snapshots, and notes that with each one before the call is sent if such a call may come late. */
public record SnapshotRemoval(SnapshotCalls snapshots, RemovalNotes notes) {
    /**
     * Deletes a snapshot. If volumes were restored from it, it goes with the last of them; until then nobody can use
     * it.
     *
     * @return what the box said if it refused; empty if it did not, or if there is no such snapshot
     */
    public Optional<ApiResult.Refused> delete(SnapshotEntry seen, Work work) {
        SnapshotName name = seen.name();
        if (notes.goesOn(work) && !note(seen, work)) {
            return Optional.empty();
        }
        if (notes.send(name.toString(), () -> snapshots.delete(name, true, work)) instanceof ApiResult.Refused refused
                && !isGone(refused)) {
            if (notes.goesOn(work)) {
                snapshots.update(name, RemovalNotes.ended(), work).orThrow();
            }
            return Optional.of(refused);
        }
        return Optional.empty();
    }

    /** Notes that a snapshot is about to be deleted; returns false if it is not there any more. */
    private boolean note(SnapshotEntry seen, Work work) {
        requireStaying(seen, work);
        SnapshotName name = seen.name();
        ApiResult noted = snapshots.update(name, notes.fresh(name.toString()), work);
        if (noted instanceof ApiResult.Refused refused && isGone(refused)) {
            return false;
        }
        noted.orThrow();
        return true;
    }

    /** Throws if a call that deletes the snapshot may still come. */
    public void requireStaying(SnapshotEntry seen, Work work) {
        notes.requireNone(seen.name().toString(), seen.own(RemovalNotes.property()), work);
    }

    private static boolean isGone(ApiResult.Refused refused) {
        return refused.isAbsent() || refused.says("not found");
    }
}
