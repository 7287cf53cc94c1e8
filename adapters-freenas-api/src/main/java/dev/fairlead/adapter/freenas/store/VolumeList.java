package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Reads all volumes of a connection.
 *
 * @param isVolume tells a volume from other datasets
 */
record VolumeList(
        DatasetLayout layout, DatasetCalls datasets, ParentLookup parents, Predicate<VolumeProperties> isVolume) {
    /** Returns them by their ids. */
    SortedMap<String, StoredVolume> read(Work work) {
        SortedMap<String, StoredVolume> found = new TreeMap<>();
        for (DatasetName parent : layout.parents().all()) {
            List<DatasetEntry> below = datasets.below(parent, work);
            if (below.isEmpty()) {
                parents.requirePool(parent, work); // an empty list of a pool that is away would be believed
                below = datasets.below(parent, work); // which may have come since
            }
            parents.requireOwnMarks(parent, work);
            for (DatasetEntry entry : below) {
                layout.volume(entry.name())
                        .filter(_ -> isVolume.test(entry.volume()))
                        .ifPresent(id -> found.put(id.value(), entry.volume().volume(id)));
            }
        }
        return found;
    }
}
