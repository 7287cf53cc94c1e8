package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.DatasetTree;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads a dataset with its snapshots, their clones and its children: by one query if it has no snapshots. Clones are
 * found by their origins, since not every release says them with a snapshot.
 */
record TreeReader(ParentLookup parents, DatasetCalls datasets, SnapshotCalls snapshots) {
    private static final String CLONES = "clones";
    private static final String NONE = "-";

    /** The properties by which a snapshot is a caller's. */
    private static final Set<String> MARKS =
            Set.of(PeerProperties.SNAPSHOT_NAME, PeerProperties.MANAGED, OwnProperties.GROUP);

    Optional<SeenTree> find(DatasetName name, Work work) {
        return parents.findWithDependents(name, work).flatMap(entry -> read(entry, work));
    }

    private Optional<SeenTree> read(DatasetEntry entry, Work work) {
        DatasetName name = entry.name();
        SortedMap<String, Map<String, Property>> rows = new TreeMap<>();
        rows.put(name.value(), entry.rows());
        entry.children().forEach(child -> rows.put(child, Map.of()));
        entry.snapshots().stream()
                .filter(snapshot -> SnapshotName.of(snapshot).isEmpty())
                .forEach(snapshot -> rows.put(snapshot, Map.of())); // nobody's: no caller's has such a name
        if (!entry.snapshots().isEmpty()) {
            snapshots
                    .of(name, entry.snapshots(), work)
                    .forEach(snapshot -> rows.put(snapshot.name().toString(), snapshot.rows()));
            addClones(name, rows, work);
            withoutMarksOfUnfinishedGroups(name, rows, work);
        }
        return DatasetTree.in(rows, name).map(tree -> new SeenTree(entry, tree));
    }

    /**
     * Takes their marks from the snapshots of groups that are still being made: nobody was given them. From 26 on a box
     * marks them in the step that takes them.
     */
    private void withoutMarksOfUnfinishedGroups(
            DatasetName name, SortedMap<String, Map<String, Property>> rows, Work work) {
        Set<String> groups = rows.keySet().stream()
                .flatMap(text -> SnapshotName.of(text).stream())
                .map(SnapshotName::name)
                .filter(DatasetLayout::isGroupName)
                .collect(Collectors.toSet());
        Set<String> begun = name.parent().stream()
                .flatMap(parent -> snapshots.of(parent, groups, work).stream())
                .filter(entry -> !isPutOff(entry))
                .map(entry -> entry.name().name())
                .collect(Collectors.toSet());
        rows.replaceAll((text, properties) -> {
            boolean isUnfinished = SnapshotName.of(text)
                    .filter(snapshot -> begun.contains(snapshot.name()))
                    .isPresent();
            if (!isUnfinished) {
                return properties;
            }
            Map<String, Property> rest = new HashMap<>(properties);
            rest.keySet().removeAll(MARKS);
            return rest;
        });
    }

    private static boolean isPutOff(SnapshotEntry entry) {
        return Optional.ofNullable(entry.rows().get("defer_destroy"))
                .map(Property::value)
                .filter("on"::equals)
                .isPresent();
    }

    /**
     * Says whether a snapshot may be one of a group that was finished, which somebody was given. One that the box does
     * not describe may be, or has gone.
     */
    boolean mayBeOfFinishedGroup(SnapshotName name, Work work) {
        return DatasetLayout.isGroupName(name.name())
                && snapshots
                        .find(name, work)
                        .map(entry -> entry.own(PeerProperties.SNAPSHOT_NAME).isPresent())
                        .orElse(true)
                && name.dataset()
                        .parent()
                        .flatMap(parent -> snapshots.find(parent.snapshot(name.name()), work))
                        .filter(entry -> !isPutOff(entry))
                        .isEmpty();
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
