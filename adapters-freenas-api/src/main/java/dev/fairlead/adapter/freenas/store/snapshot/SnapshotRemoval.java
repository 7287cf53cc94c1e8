package dev.fairlead.adapter.freenas.store.snapshot;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Deletes snapshots, and notes that with the dataset of each one before the call is sent, as it may come late; 26 sets
 * no properties of snapshots.
 */
public record SnapshotRemoval(SnapshotCalls snapshots, CallNotes notes) {
    /**
     * Holds what came of a deletion.
     *
     * @param refusal what the box said if it refused; empty if it did not, or if there is no such snapshot
     * @param isDatasetSeen whether the dataset of the snapshot has answered after the deletion
     */
    public record Removed(Optional<ApiResult.Refused> refusal, boolean isDatasetSeen) {}

    /**
     * Deletes a snapshot. If volumes were restored from it, it goes with the last of them; until then nobody can use
     * it.
     */
    public Removed delete(SnapshotName name, Work work) {
        Optional<CallNotes.CallNote> noted = notes.note(name.dataset(), name.toString(), Optional.empty(), work);
        if (noted.isEmpty()) {
            return new Removed(Optional.empty(), false);
        }
        ApiResult deleted = notes.send(noted.get(), left -> snapshots.delete(name, true, left, work));
        boolean seen = forget(noted.get(), work);
        return new Removed(
                deleted instanceof ApiResult.Refused refused && !isGone(refused)
                        ? Optional.of(refused)
                        : Optional.empty(),
                seen);
    }

    /**
     * Takes the note of a call away that has ended: what its caller is told does not depend on that. Returns whether
     * the dataset was there for that.
     */
    private boolean forget(CallNotes.CallNote noted, Work work) {
        try {
            return notes.isWithdrawn(noted, work.finishing());
        } catch (StorageException _) {
            work.checkEnding(); // to others the call may come for a while
            return false;
        }
    }

    /** Throws if a call that deletes one of these snapshots may still come. */
    public void requireStaying(Collection<SnapshotName> names, Work work) {
        Map<DatasetName, List<SnapshotName>> all = names.stream().collect(Collectors.groupingBy(SnapshotName::dataset));
        if (all.isEmpty()) {
            return;
        }
        notes.datasets()
                .each(all.keySet(), work)
                .forEach(entry -> all.getOrDefault(entry.name(), List.of())
                        .forEach(name -> notes.requireNone(entry, name.toString())));
    }

    private static boolean isGone(ApiResult.Refused refused) {
        return refused.isAbsent() || refused.says("not found");
    }
}
