package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.store.copy.ContentCopy;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.adapter.freenas.store.snapshot.SourceSnapshot;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Brings the content of a volume that is a copy to the name under which it is made.
 *
 * @param source the snapshot that is copied
 * @param helper the same, if it is taken for this volume
 */
record BirthCopy(
        ContentCopy copies,
        DatasetCalls datasets,
        VolumeRemoval removal,
        SnapshotName source,
        Optional<SourceSnapshot> helper) {
    /**
     * Returns when all of the content is there.
     *
     * @param there what is under the name
     * @param all the properties of the volume, by which one is known that lacks nothing but its name
     */
    void bring(DatasetName staged, Optional<DatasetEntry> there, Map<String, String> all, Work work) {
        boolean done = there.filter(entry -> entry.origin().isEmpty() && isDone(all, entry))
                .isPresent();
        if (!done) {
            copies.taking(source, staged, () -> {
                copy(staged, work);
                return staged;
            });
        }
    }

    private void copy(DatasetName staged, Work work) {
        if (copies.follow(source, staged, work)) {
            return;
        }
        removal.discard(staged, work);
        if (helper.isPresent() && !helper.get().take(work)) {
            throw datasets.unavailable(
                    "another call makes a clone by the snapshot " + helper.get().name());
        }
        copies.start(source, staged, work);
    }

    private static boolean isDone(Map<String, String> all, DatasetEntry entry) {
        Map<String, String> done = new LinkedHashMap<>(all);
        done.putAll(BirthFields.done(all));
        return DatasetFields.difference(done, entry).isEmpty();
    }

    /** Deletes the snapshots that were needed for the copy. */
    void letGo(DatasetName staged, Work work) {
        copies.forget(source, staged, work);
        helper.ifPresent(it -> it.discard(work));
    }
}
