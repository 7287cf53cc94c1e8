package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.DatasetTree;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads a dataset with its snapshots, their clones and its children: by one query if it has no snapshots. Clones are
 * found by their origins, since not every release says them with a snapshot.
 */
record TreeReader(ParentLookup parents, DatasetCalls datasets, SnapshotCalls snapshots) {
    private static final String CLONES = "clones";
    private static final String NONE = "-";

    Optional<SeenTree> find(DatasetName name, Work work) {
        return parents.findWithDependents(name, work).flatMap(entry -> read(entry, work));
    }

    private Optional<SeenTree> read(DatasetEntry entry, Work work) {
        DatasetName name = entry.name();
        SortedMap<String, Map<String, Property>> rows = new TreeMap<>();
        rows.put(name.value(), entry.rows());
        entry.children().forEach(child -> rows.put(child, Map.of()));
        entry.snapshots().forEach(snapshot -> rows.put(snapshot, Map.of()));
        if (!entry.snapshots().isEmpty()) {
            snapshots
                    .of(name, work)
                    .forEach(snapshot -> rows.put(snapshot.name().toString(), snapshot.rows()));
            addClones(name, rows, work);
        }
        return DatasetTree.in(rows, name).map(tree -> new SeenTree(entry, tree));
    }

    private void addClones(DatasetName name, SortedMap<String, Map<String, Property>> rows, Work work) {
        Map<String, String> clones = new HashMap<>();
        datasets.clonesOf(name, work)
                .forEach(clone -> clone.origin()
                        .ifPresent(origin -> clones.merge(
                                origin.toString(), clone.name().value(), (one, more) -> one + "," + more)));
        rows.replaceAll((text, properties) -> {
            if (!text.startsWith(name + "@")) {
                return properties;
            }
            Map<String, Property> all = new HashMap<>(properties);
            all.put(CLONES, new Property(clones.getOrDefault(text, ""), NONE));
            return all;
        });
    }
}
