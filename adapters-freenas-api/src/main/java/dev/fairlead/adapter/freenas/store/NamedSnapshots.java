package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DetachedLookup;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.snapshot.SnapshotNaming;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the snapshot that has a name in CSI, whoever's volume it is of and however it was taken. What has to be there
 * for an empty list to be believed is asked for by one query, together with the volume that a caller wants to know of.
 */
record NamedSnapshots(DatasetLayout layout, SnapshotCalls snapshots, ParentLookup parents, DetachedLookup detached) {
    /**
     * Holds what was found.
     *
     * @param volume the dataset that was asked for; empty if it is proved absent, or if none was asked for
     */
    record Found(Optional<StoredSnapshot> snapshot, Optional<DatasetEntry> volume) {}

    /** @param volume a volume that is looked for too, after the lists were read */
    Found find(CsiName name, Optional<DatasetName> volume, Work work) {
        SortedMap<String, StoredSnapshot> named = new TreeMap<>();
        List<DatasetName> unproved = new ArrayList<>(); // an empty list of a pool that is away would be believed
        for (DatasetName parent : layout.parents().all()) {
            List<SnapshotEntry> found = snapshots.named(parent, SnapshotNaming.pattern(name.value()), work);
            if (found.isEmpty()) {
                unproved.add(parent);
            }
            found.forEach(entry -> add(entry, named));
        }
        layout.detachedParent().ifPresent(top -> {
            List<DatasetEntry> copies = detached.below(top, work);
            if (copies.isEmpty()) {
                unproved.add(top);
            }
            copies.stream()
                    .flatMap(copy -> detached.snapshot(copy).stream())
                    .forEach(copy -> named.put(copy.id().value(), copy.snapshot()));
        });
        Optional<DatasetEntry> there = parents.findWithPools(volume, unproved, work);
        return new Found(
                named.values().stream()
                        .filter(snapshot -> snapshot.group().isEmpty())
                        .filter(snapshot -> snapshot.name().filter(name::equals).isPresent())
                        .findFirst(),
                there);
    }

    /** Adds a snapshot if it is one that a caller was given. */
    void add(SnapshotEntry entry, SortedMap<String, StoredSnapshot> into) {
        SnapshotName name = entry.name();
        layout.snapshot(name)
                .flatMap(id -> layout.volume(name.dataset())
                        .map(volume -> new SnapshotProperties(name.toString(), id, volume, entry.rows())))
                .filter(SnapshotProperties::isManaged)
                .ifPresent(snapshot -> into.put(snapshot.id().value(), snapshot.snapshot()));
    }
}
