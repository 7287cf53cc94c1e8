package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.DatasetType;
import dev.fairlead.adapter.zfs.cli.Rows.Property;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.property.OwnProperties;
import dev.fairlead.adapter.zfs.property.PeerProperties;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.work.Work;
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
    private static final List<String> ASKED = List.of(
            "type",
            "guid",
            CLONES,
            ORIGIN,
            HOLDS,
            PeerProperties.MANAGED,
            PeerProperties.SNAPSHOT_NAME,
            OwnProperties.STATE);

    private final DatasetName name;
    private final SortedMap<String, Map<String, Property>> rows;

    private Family(DatasetName name, SortedMap<String, Map<String, Property>> rows) {
        this.name = name;
        this.rows = rows;
    }

    /** Reads it in one command; empty where the dataset does not exist. */
    static Optional<Family> of(ZfsHost host, DatasetName name, Work work) {
        var rows = host.below(name, 1, Set.of(DatasetType.values()), ASKED, work);
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

    /** What tells it from others that had its name. */
    String guid() {
        return text(name.value(), "guid").orElse("");
    }

    /** Whether nothing hangs on it but clones that were made of helpers: no snapshot that somebody asked for. */
    boolean hasClonesOnly() {
        return snapshots().stream().allMatch(this::isHelper)
                && dependents().stream().allMatch(it -> it.what().startsWith("the clone "));
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
        return text(snapshot.toString(), CLONES).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(DatasetName::of)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Whether nobody asked for a snapshot: it was made for a clone or a copy. */
    boolean isHelper(SnapshotName snapshot) {
        return Layout.isHelper(snapshot)
                && own(snapshot.toString(), PeerProperties.SNAPSHOT_NAME).isEmpty();
    }

    /** What destroying the dataset would take along or break. */
    List<Dependent> dependents() {
        List<Dependent> all = new ArrayList<>();
        for (SnapshotName snapshot : snapshots()) {
            clonesOf(snapshot).forEach(clone -> all.add(new Dependent("the clone " + clone)));
            text(snapshot.toString(), HOLDS)
                    .filter(count -> !count.equals("0"))
                    .ifPresent(_ -> all.add(new Dependent("the hold on " + snapshot)));
            if (!isHelper(snapshot)) {
                boolean ours =
                        own(snapshot.toString(), PeerProperties.SNAPSHOT_NAME).isPresent();
                all.add(new Dependent((ours ? "the snapshot " : "the snapshot, not made by Fairlead, ") + snapshot));
            }
        }
        rows.keySet().stream()
                .map(DatasetName::of)
                .flatMap(Optional::stream)
                .filter(child -> child.isBelow(name))
                .forEach(child -> all.add(new Dependent("the dataset " + child)));
        return all;
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
