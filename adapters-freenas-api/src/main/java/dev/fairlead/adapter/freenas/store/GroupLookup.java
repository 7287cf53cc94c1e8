package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.snapshot.GroupMark;
import dev.fairlead.zfs.snapshot.SnapshotNaming;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the snapshots of groups. All snapshots of a group have the same name, and while the group is made, its parent
 * dataset has a snapshot of that name too, which goes last: so long nobody sees any of the others, and with that one
 * step all of them are there.
 */
record GroupLookup(DatasetLayout layout, SnapshotCalls snapshots, ParentLookup parents) {
    private static final String PUT_OFF = "defer_destroy";

    /** Returns all snapshots of a group, finished or not, also those that others have only by a mistake. */
    List<SnapshotEntry> of(NativeId id, Work work) {
        String names = DatasetLayout.groupPrefix(id) + "[0-9a-f]+|" + SnapshotNaming.pattern(id.value());
        Map<SnapshotName, SnapshotEntry> found = new TreeMap<>(Comparator.comparing(SnapshotName::toString));
        for (DatasetName parent : layout.parents().all()) {
            snapshots.named(parent, names, work).stream()
                    .filter(entry -> isOf(entry, id) && !isPutOff(entry))
                    .forEach(entry -> found.put(entry.name(), entry));
        }
        return List.copyOf(found.values());
    }

    private static boolean isOf(SnapshotEntry entry, NativeId id) {
        return entry.name().name().startsWith(DatasetLayout.groupPrefix(id))
                || mark(entry).filter(mark -> mark.id().equals(id)).isPresent();
    }

    private static boolean isPutOff(SnapshotEntry entry) {
        return Optional.ofNullable(entry.rows().get(PUT_OFF))
                .map(Property::value)
                .filter("on"::equals)
                .isPresent();
    }

    /** Returns the mark that a snapshot of a group has, unless it was not marked yet. */
    static Optional<GroupMark> mark(SnapshotEntry entry) {
        return entry.own(OwnProperties.GROUP).flatMap(GroupMark::read);
    }

    /** Returns the finished group among the snapshots of a group. */
    Optional<StoredGroup> group(NativeId id, List<SnapshotEntry> all) {
        Set<String> begun = begun(all);
        List<SnapshotProperties> members = all.stream()
                .filter(entry -> !begun.contains(entry.name().name()))
                .flatMap(entry -> properties(entry).stream())
                .filter(snapshot ->
                        snapshot.group().filter(mark -> mark.id().equals(id)).isPresent())
                .sorted(Comparator.comparing(snapshot -> snapshot.id().value()))
                .toList();
        return members.stream()
                .findFirst()
                .flatMap(SnapshotProperties::group)
                .map(mark -> new StoredGroup(
                        id,
                        mark.shape(),
                        members.stream().map(SnapshotProperties::snapshot).toList()));
    }

    private Optional<SnapshotProperties> properties(SnapshotEntry entry) {
        SnapshotName name = entry.name();
        return layout.snapshot(name)
                .flatMap(id -> layout.volume(name.dataset())
                        .map(volume -> new SnapshotProperties(name.toString(), id, volume, entry.rows())))
                .filter(SnapshotProperties::isManaged);
    }

    /** Returns the names under which groups are being made. */
    private Set<String> begun(Collection<SnapshotEntry> all) {
        return all.stream()
                .map(SnapshotEntry::name)
                .filter(this::isOfParent)
                .map(SnapshotName::name)
                .collect(Collectors.toSet());
    }

    /** Says whether each of these snapshots is of a group that is still being made, as its parent's snapshot tells. */
    boolean areUnfinished(List<SnapshotEntry> all) {
        Set<SnapshotName> begun =
                all.stream().map(SnapshotEntry::name).filter(this::isOfParent).collect(Collectors.toSet());
        return all.stream()
                .map(SnapshotEntry::name)
                .allMatch(name -> begun.contains(name)
                        || name.dataset()
                                .parent()
                                .filter(parent -> begun.contains(parent.snapshot(name.name())))
                                .isPresent());
    }

    /** Says whether a snapshot is that of a parent, which a group has while it is made. */
    boolean isOfParent(SnapshotName name) {
        return layout.parents().all().contains(name.dataset());
    }

    /** Says whether a snapshot is of a group that is still being made. */
    boolean isUnfinished(SnapshotName name, Work work) {
        return DatasetLayout.isGroupName(name.name())
                && name.dataset()
                        .parent()
                        .flatMap(parent -> snapshots.find(parent.snapshot(name.name()), work))
                        .filter(entry -> !isPutOff(entry))
                        .isPresent();
    }

    /** Returns those of the snapshots below a parent that are of no group which is still being made. */
    List<SnapshotEntry> finished(DatasetName parent, List<SnapshotEntry> below, Work work) {
        Set<String> groups = below.stream()
                .map(entry -> entry.name().name())
                .filter(DatasetLayout::isGroupName)
                .collect(Collectors.toSet());
        Set<String> begun = begun(snapshots.of(parent, groups, work).stream()
                .filter(entry -> !isPutOff(entry))
                .toList());
        return below.stream()
                .filter(entry -> !begun.contains(entry.name().name()))
                .toList();
    }

    /** Throws unless the parents' pools are there: snapshots of a pool that is away are not found either. */
    void proveAbsence(Work work) {
        layout.parents().all().forEach(parent -> parents.requirePool(parent, work));
    }
}
