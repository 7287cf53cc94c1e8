package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.Layout;
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
import java.util.Set;
import java.util.SortedMap;

/** A dataset with its snapshots, their clones, and what lies directly below it: all that a destroy has to look at. */
final class Family {
    private static final String CLONES = "clones";
    private static final String ORIGIN = "origin";
    private static final String HOLDS = "userrefs";
    private static final String PUT_OFF = "defer_destroy";

    static final List<String> ASKED = List.of(
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

    private Family(DatasetName name, SortedMap<String, Map<String, Property>> rows) {
        this.name = name;
        this.rows = rows;
    }

    /** Reads it in one command; empty where the dataset does not exist. */
    static Optional<Family> of(ZfsHost host, DatasetName name, Work work) {
        return in(host.below(name, 1, Set.of(DatasetType.values()), ASKED, work), name);
    }

    /** What prints it. */
    static List<String> command(ZfsCommands zfs, DatasetName name) {
        return zfs.getBelow(List.of(name), 1, Set.of(DatasetType.values()), ASKED);
    }

    /** @param rows as {@link #command} prints them, or more */
    static Optional<Family> in(SortedMap<String, Map<String, Property>> rows, DatasetName name) {
        return rows.containsKey(name.value()) ? Optional.of(new Family(name, rows)) : Optional.empty();
    }

    boolean isManaged() {
        return own(name.value(), PeerProperties.MANAGED)
                .filter(PeerProperties.TRUE::equals)
                .isPresent();
    }

    /** Whether it was put aside by {@link Deferral}, or was about to be. */
    boolean isHidden() {
        return Layout.isHidden(name)
                && (isManaged()
                        || own(name.value(), OwnProperties.STATE)
                                .filter(OwnProperties.HIDDEN::equals)
                                .isPresent());
    }

    boolean isOf(DatasetType type) {
        return text(name.value(), "type").filter(type.word()::equals).isPresent();
    }

    /** What tells it from others that had its name. */
    String guid() {
        return text(name.value(), "guid").orElse("");
    }

    Optional<SnapshotName> origin() {
        return text(name.value(), ORIGIN).flatMap(SnapshotName::of);
    }

    List<SnapshotName> snapshots() {
        return rows.keySet().stream()
                .map(SnapshotName::of)
                .flatMap(Optional::stream)
                .filter(snapshot -> snapshot.dataset().equals(name))
                .toList();
    }

    List<DatasetName> clonesOf(SnapshotName snapshot) {
        return namesOfClones(snapshot).stream()
                .map(DatasetName::of)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Others may have named theirs as no dataset of ours is. */
    private List<String> namesOfClones(SnapshotName snapshot) {
        return text(snapshot.toString(), CLONES).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .toList();
    }

    boolean hasClones() {
        return snapshots().stream()
                .anyMatch(snapshot -> !namesOfClones(snapshot).isEmpty());
    }

    /** Whether a snapshot was destroyed by whoever had it, and goes with the last of its clones and holds. */
    private boolean isPutOff(SnapshotName snapshot) {
        return text(snapshot.toString(), PUT_OFF).filter("on"::equals).isPresent();
    }

    /** Whether nobody asked for a snapshot: it was made for a clone or a copy. */
    boolean isHelper(SnapshotName snapshot) {
        return Layout.isHelper(snapshot)
                && own(snapshot.toString(), PeerProperties.SNAPSHOT_NAME).isEmpty();
    }

    /**
     * The snapshots that no CSI caller asked for. One that has any of the marks of its own is a caller's; every
     * snapshot inherits those of its volume.
     */
    List<SnapshotName> foreign() {
        return snapshots().stream()
                .filter(snapshot -> !isHelper(snapshot) && !isPutOff(snapshot) && !isCallers(snapshot))
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

    /** What destroying the dataset by these policies would take along or break. */
    List<Dependent> obstacles(OnDependents policy, ForeignSnapshots foreign) {
        List<Dependent> all = new ArrayList<>();
        for (SnapshotName snapshot : snapshots()) {
            boolean nobodys = isHelper(snapshot) || isPutOff(snapshot);
            // By whatever policy, a snapshot that somebody asked for would become one of a clone, or be lost sight of.
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

    /** A hold says that a snapshot is not to be destroyed, whatever else says that it may. */
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
