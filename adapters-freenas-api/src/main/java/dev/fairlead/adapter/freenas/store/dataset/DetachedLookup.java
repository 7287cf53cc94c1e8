package dev.fairlead.adapter.freenas.store.dataset;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds detached snapshots, which are datasets of their own, whoever made them. */
public record DetachedLookup(DatasetLayout layout, DatasetCalls datasets, ParentLookup parents) {
    private static final String REFERENCED = "referenced";

    /** The property that the API shows of all datasets, the same as that of one that shares no blocks with another. */
    private static final String USED = "usedbydataset";

    /** Returns the dataset of a detached snapshot that is whole; empty if the id is of none, or it is proved absent. */
    public Optional<DatasetEntry> entry(NativeId id, Work work) {
        return name(id).flatMap(name -> {
            Optional<DatasetEntry> there = datasets.find(name, work);
            if (there.isEmpty()) {
                requirePool(work);
                there = datasets.find(name, work); // the pool may have come since
            }
            return there.filter(entry -> snapshot(entry).isPresent());
        });
    }

    /** Returns the name of the dataset of a detached snapshot; empty if the id is of none. */
    public Optional<DatasetName> name(NativeId id) {
        return layout.snapshot(id)
                .flatMap(place -> place instanceof DatasetLayout.Place.Detached(var _, DatasetName name)
                        ? Optional.of(name)
                        : Optional.empty())
                .filter(name -> !DatasetLayout.isStaged(name));
    }

    /** Throws unless the pool of detached snapshots is there. */
    public void requirePool(Work work) {
        layout.detachedParent().ifPresent(top -> parents.requirePool(top, work));
    }

    /** Returns detached snapshots that are whole, all or those of one volume. */
    public List<SnapshotProperties> all(Optional<NativeId> volume, Work work) {
        return layout.detachedParent()
                .map(top -> {
                    DatasetName above = volume.map(id -> top.child(id.value())).orElse(top);
                    List<DatasetEntry> found = below(above, work);
                    if (found.isEmpty()) {
                        requirePool(work);
                        found = below(above, work); // the pool may have come since
                    }
                    return found.stream()
                            .flatMap(entry -> snapshot(entry).stream())
                            .toList();
                })
                .orElse(List.of());
    }

    /** Returns the datasets below this one, of which those are copies that are whole. */
    public List<DatasetEntry> below(DatasetName parent, Work work) {
        return datasets.copiesBelow(parent, work);
    }

    /** Returns the snapshot that a dataset is; empty for any that is not whole, which no caller has been given. */
    public Optional<SnapshotProperties> snapshot(DatasetEntry entry) {
        return begun(entry).filter(SnapshotProperties::isWhole);
    }

    /** Returns the same whether it is whole or not. */
    public Optional<SnapshotProperties> begun(DatasetEntry entry) {
        DatasetName name = entry.name();
        return Optional.of(name)
                .filter(it -> !DatasetLayout.isStaged(it))
                .flatMap(layout::detached)
                .flatMap(id -> layout.snapshot(id)
                        .map(place -> new SnapshotProperties(name.value(), id, place.volume(), sized(entry.rows()))))
                .filter(SnapshotProperties::isManaged);
    }

    private static Map<String, Property> sized(Map<String, Property> rows) {
        Map<String, Property> all = new HashMap<>(rows);
        Optional.ofNullable(rows.get(USED)).ifPresent(used -> all.putIfAbsent(REFERENCED, used));
        return all;
    }
}
