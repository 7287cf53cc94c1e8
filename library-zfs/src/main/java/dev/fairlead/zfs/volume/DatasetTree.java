package dev.fairlead.zfs.volume;

import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Holds a dataset with its snapshots, their clones and what lies directly below it: all that a destroy has to check.
 */
public final class DatasetTree {
    private static final String CLONES = "clones";
    private static final String ORIGIN = "origin";
    private static final String HOLDS = "userrefs";
    private static final String PUT_OFF = "defer_destroy";

    public static final List<String> ASKED = List.of(
            "type",
            "guid",
            CLONES,
            ORIGIN,
            HOLDS,
            PUT_OFF,
            PeerProperties.MANAGED,
            PeerProperties.SNAPSHOT_NAME,
            OwnProperties.STATE,
            OwnProperties.GROUP);

    private final DatasetName name;
    private final SortedMap<String, Map<String, Property>> rows;

    private DatasetTree(DatasetName name, SortedMap<String, Map<String, Property>> rows) {
        this.name = name;
        this.rows = rows;
    }

    /**
     * @param rows the properties of the dataset, its snapshots and its children, by their names; those {@link #ASKED}
     */
    public static Optional<DatasetTree> in(SortedMap<String, Map<String, Property>> rows, DatasetName name) {
        return rows.containsKey(name.value()) ? Optional.of(new DatasetTree(name, rows)) : Optional.empty();
    }

    public boolean isManaged() {
        return own(name.value(), PeerProperties.MANAGED)
                .filter(PeerProperties.TRUE::equals)
                .isPresent();
    }

    /** Returns whether it was put aside by a deferred deletion, or was about to be. */
    public boolean isHidden() {
        return DatasetLayout.isHidden(name)
                && (isManaged()
                        || own(name.value(), OwnProperties.STATE)
                                .filter(OwnProperties.HIDDEN::equals)
                                .isPresent());
    }

    public boolean isOf(DatasetType type) {
        return text(name.value(), "type").filter(type.word()::equals).isPresent();
    }

    /** Returns the guid, which tells the dataset from others that had its name. */
    public String guid() {
        return text(name.value(), "guid").orElse("");
    }

    public Optional<SnapshotName> origin() {
        return text(name.value(), ORIGIN).flatMap(SnapshotName::of);
    }

    public List<SnapshotName> snapshots() {
        return rows.keySet().stream()
                .map(SnapshotName::of)
                .flatMap(Optional::stream)
                .filter(snapshot -> snapshot.dataset().equals(name))
                .toList();
    }

    public List<DatasetName> clonesOf(SnapshotName snapshot) {
        return namesOfClones(snapshot).stream()
                .map(DatasetName::of)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns the names of clones as text, since others may have given theirs names that no dataset of ours has. */
    private List<String> namesOfClones(SnapshotName snapshot) {
        return text(snapshot.toString(), CLONES).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .toList();
    }

    public boolean hasClones() {
        return snapshots().stream()
                .anyMatch(snapshot -> !namesOfClones(snapshot).isEmpty());
    }

    /**
     * Returns whether a snapshot was destroyed with a deferral, and disappears with the last of its clones and holds.
     */
    private boolean isPutOff(SnapshotName snapshot) {
        return text(snapshot.toString(), PUT_OFF).filter("on"::equals).isPresent();
    }

    /** Returns whether a snapshot was made for a clone or a copy and nobody asked for it. */
    public boolean isHelper(SnapshotName snapshot) {
        return DatasetLayout.isHelper(snapshot)
                && own(snapshot.toString(), PeerProperties.SNAPSHOT_NAME).isEmpty();
    }

    /**
     * Returns the snapshots that no CSI caller asked for. A snapshot with one of the marks as its own is a caller's;
     * those of its volume it only inherits.
     */
    public List<SnapshotName> foreign() {
        return snapshots().stream()
                .filter(snapshot -> !isHelper(snapshot) && !isPutOff(snapshot) && !isCallers(snapshot))
                .toList();
    }

    /** Returns the names by which callers asked for snapshots that are still there. */
    public List<String> givenSnapshots() {
        return snapshots().stream()
                .flatMap(snapshot -> own(snapshot.toString(), PeerProperties.SNAPSHOT_NAME).stream())
                .toList();
    }

    private boolean isCallers(SnapshotName snapshot) {
        String text = snapshot.toString();
        return own(text, PeerProperties.SNAPSHOT_NAME).isPresent()
                || own(text, OwnProperties.GROUP).isPresent()
                || own(text, PeerProperties.MANAGED)
                        .filter(PeerProperties.TRUE::equals)
                        .isPresent();
    }

    /** Returns what destroying the dataset by these policies would destroy as well or break. */
    public List<Dependent> obstacles(OnDependents policy, ForeignSnapshots foreign) {
        List<Dependent> all = new ArrayList<>();
        for (SnapshotName snapshot : snapshots()) {
            boolean nobodys = isHelper(snapshot) || isPutOff(snapshot);
            // Under any policy, a snapshot that somebody asked for would move to a clone, or could no longer be
            // found.
            if (policy == OnDependents.REFUSE || !nobodys) {
                namesOfClones(snapshot).forEach(clone -> all.add(new Dependent("the clone " + clone)));
            }
            if (isHeld(snapshot)) {
                all.add(new Dependent("the hold on " + snapshot));
            }
            if (!nobodys && isCallers(snapshot)) {
                all.add(new Dependent("the snapshot " + snapshot));
            }
        }
        rows.keySet().stream()
                .filter(text -> text.startsWith(name + "/"))
                .forEach(child -> all.add(new Dependent("the dataset " + child)));
        if (foreign == ForeignSnapshots.REFUSE) {
            foreign()
                    .forEach(snapshot -> all.add(new Dependent(
                            "the snapshot, not made by Fairlead, " + snapshot,
                            Optional.of(ForeignSnapshots.OTHERWISE))));
        }
        return all;
    }

    /** Returns whether a snapshot has a hold, which forbids its destruction whatever else allows it. */
    private boolean isHeld(SnapshotName snapshot) {
        return text(snapshot.toString(), HOLDS)
                .filter(count -> !count.equals("0"))
                .isPresent();
    }

    private Optional<String> text(String target, String property) {
        return Optional.ofNullable(rows.get(target))
                .flatMap(found -> Optional.ofNullable(found.get(property)))
                .filter(Property::isSet)
                .map(Property::value)
                .filter(value -> !value.isEmpty());
    }

    private Optional<String> own(String target, String property) {
        return Optional.ofNullable(rows.get(target))
                .flatMap(found -> Optional.ofNullable(found.get(property)))
                .filter(Property::isSet)
                .filter(Property::isOwn)
                .map(Property::value);
    }
}
