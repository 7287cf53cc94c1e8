package dev.fairlead.adapter.freenas.store.snapshot;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.Map;

/**
 * Takes the snapshot of a whole volume that a clone is made of. One that is there already is of an earlier attempt, and
 * may be older than what its volume holds now: it is taken anew.
 */
public record SourceSnapshot(SnapshotCalls calls, SnapshotName name) {
    /**
     * Takes it.
     *
     * @return false if one is there that has a clone, and so cannot be taken anew
     */
    public boolean take(Work work) {
        ApiResult taken = calls.create(name, Map.of(), work);
        if (taken instanceof ApiResult.Refused refused && refused.isThereAlready()) {
            requireHelper(work);
            if (calls.delete(name, false, work) instanceof ApiResult.Refused kept && !kept.isAbsent()) {
                if (kept.says("not found")) {
                    return take(calls, work);
                }
                return false;
            }
            return take(calls, work);
        }
        taken.orThrow();
        return true;
    }

    private boolean take(SnapshotCalls again, Work work) {
        if (again.create(name, Map.of(), work) instanceof ApiResult.Refused refused) {
            throw refused.isThereAlready()
                    ? new StorageException(new Failure.BackendUnavailable(
                            refused.connection(), "another call makes a clone by the snapshot " + name))
                    : refused.failure();
        }
        return true;
    }

    /** Throws if the snapshot of that name is one that somebody asked for by it: it is kept, whatever it bars. */
    private void requireHelper(Work work) {
        if (isAskedFor(work)) {
            throw new StorageException(new Failure.BackendUnavailable(
                    calls.api().connection(),
                    "the snapshot " + name + ", by which the clone would be made, is one that somebody asked for by"
                            + " that name; delete it"));
        }
    }

    private boolean isAskedFor(Work work) {
        return calls.find(name, work)
                .filter(entry -> entry.own(PeerProperties.SNAPSHOT_NAME).isPresent()
                        || entry.own(OwnProperties.GROUP).isPresent())
                .isPresent();
    }

    /** Takes it away again, at the latest with the last of its clones; not one that somebody asked for. */
    public void discard(Work work) {
        if (isAskedFor(work)) {
            return;
        }
        if (calls.delete(name, true, work) instanceof ApiResult.Refused refused
                && !refused.isAbsent()
                && !refused.says("not found")) {
            throw refused.failure();
        }
    }
}
