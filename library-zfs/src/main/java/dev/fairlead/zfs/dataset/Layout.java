package dev.fairlead.zfs.dataset;

import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where volumes and snapshots are, and what ids they have; the names are democratic-csi's.
 *
 * <p>A volume is {@code <parent>/<id>}. A snapshot is {@code <parent>/<id>@<name>} with the id {@code <id>@<name>}; a
 * detached one is {@code <detached parent>/<id>/<name>} with the id {@code <id>/<name>}. Below a parent that has a
 * label a volume is {@code <that parent>/<leaf>} with the id {@code <label>.<leaf>}; the rest is the same.
 *
 * @param detachedParent where detached snapshots are, if there are any
 */
public record Layout(Parents parents, Optional<DatasetName> detachedParent) {
    private static final String HIDDEN = "fairlead:deleted:";
    private static final String FOR_VOLUME = "volume-source-for-volume-";
    private static final String FOR_SNAPSHOT = "volume-source-for-snapshot-";
    private static final Pattern LEAF = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");
    private static final Pattern SNAPSHOT_NAME = Pattern.compile("[A-Za-z0-9_:.][A-Za-z0-9_:.-]*");

    /** What an id of a snapshot means. */
    public sealed interface Place {
        /** The volume that it was taken of. */
        NativeId volume();

        record Snapshot(NativeId volume, SnapshotName name) implements Place {}

        record Detached(NativeId volume, DatasetName name) implements Place {}
    }

    /** Of volumes that all lie below one parent. */
    public Layout(DatasetName parent, Optional<DatasetName> detachedParent) {
        this(Parents.only(parent), detachedParent);
    }

    /** The dataset that a volume of this id has; empty for an id that no volume of this store can have. */
    public Optional<DatasetName> volume(NativeId id) {
        return LEAF.matcher(leaf(id)).matches()
                ? parents.of(id.value()).flatMap(parent -> DatasetName.of(parent + "/" + leaf(id)))
                : Optional.empty();
    }

    /** The volume that a dataset is; those that lie deeper are none, whatever marks they inherited. */
    public Optional<NativeId> volume(DatasetName dataset) {
        return LEAF.matcher(dataset.leaf()).matches()
                ? dataset.parent().flatMap(parents::prefix).map(prefix -> new NativeId(prefix + dataset.leaf()))
                : Optional.empty();
    }

    /** The datasets that volumes of the same name have below the other parents. */
    public List<DatasetName> namesakes(DatasetName volume) {
        return parents.all().stream()
                .filter(parent -> !volume.isBelow(parent))
                .flatMap(parent -> DatasetName.of(parent + "/" + volume.leaf()).stream())
                .toList();
    }

    /**
     * The label in an id of a volume or snapshot that names a parent which is not there (any more). Where there are no
     * labels at all, no id was ever made with one.
     */
    public Optional<String> unknownLabel(NativeId id) {
        if (parents.labelled().isEmpty()) {
            return Optional.empty();
        }
        String volume = id.value().split("[@/]", 2)[0];
        int end = volume.indexOf(Parents.END_OF_LABEL);
        return NativeId.isValid(volume) && hasForm(new NativeId(volume)) && end >= 0
                ? Optional.of(volume.substring(0, end))
                        .filter(label -> !parents.labelled().containsKey(label))
                : Optional.empty();
    }

    /** Whether a volume could have this id, whatever parents there are. */
    private static boolean hasForm(NativeId id) {
        int end = id.value().indexOf(Parents.END_OF_LABEL);
        return LEAF.matcher(leaf(id)).matches()
                && (end < 0 || Parents.isLabel(id.value().substring(0, end)));
    }

    private static String leaf(NativeId id) {
        return id.value().substring(id.value().indexOf(Parents.END_OF_LABEL) + 1);
    }

    /** The id of the volume, of its own id or that of a snapshot of it. */
    public static String volumeOf(NativeId id) {
        return id.value().split("[@/]", 2)[0];
    }

    /** Where a snapshot of this id is; empty for an id that no snapshot of this store can have. */
    public Optional<Place> snapshot(NativeId id) {
        String text = id.value();
        int at = text.indexOf('@');
        int cut = at >= 0 ? at : text.indexOf('/');
        if (cut <= 0 || !NativeId.isValid(text.substring(0, cut))) {
            return Optional.empty();
        }
        NativeId volume = new NativeId(text.substring(0, cut));
        String name = text.substring(cut + 1);
        if (!hasForm(volume) || !SNAPSHOT_NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        return at >= 0
                ? volume(volume)
                        .flatMap(dataset -> SnapshotName.of(dataset + "@" + name))
                        .map(found -> new Place.Snapshot(volume, found))
                : detachedParent
                        .flatMap(top -> DatasetName.of(top + "/" + volume + "/" + name))
                        .map(found -> new Place.Detached(volume, found));
    }

    /** The id of a snapshot; empty for one that was not taken of a volume. */
    public Optional<NativeId> snapshot(SnapshotName snapshot) {
        return volume(snapshot.dataset())
                .filter(_ -> SNAPSHOT_NAME.matcher(snapshot.name()).matches())
                .map(volume -> new NativeId(volume + "@" + snapshot.name()));
    }

    /** The snapshot that a clone of a whole volume is made of. */
    public SnapshotName originFor(DatasetName source, NativeId clone) {
        return source.snapshot(FOR_VOLUME + clone);
    }

    /** The snapshot that a detached snapshot is a copy of. */
    public SnapshotName originFor(DatasetName source, DatasetName detached) {
        return source.snapshot(FOR_SNAPSHOT + detached.leaf());
    }

    /** Where the detached snapshot of a volume goes; empty where the connection names no place for them. */
    public Optional<DatasetName> detached(NativeId volume, String name) {
        return detachedParent.flatMap(top -> DatasetName.of(top + "/" + volume + "/" + name));
    }

    /** The id of a detached snapshot; empty for a dataset that is none. */
    public Optional<NativeId> detached(DatasetName dataset) {
        return dataset.parent()
                .filter(above -> above.parent().equals(detachedParent))
                .map(above -> above.leaf() + "/" + dataset.leaf())
                .filter(NativeId::isValid)
                .map(NativeId::new)
                .filter(id -> snapshot(id).isPresent());
    }

    /**
     * The name of a volume that was deleted while others depended on it: one that no id of a volume can give.
     *
     * @param guid of the dataset, since there may be several that had one name after each other
     */
    public static DatasetName hidden(DatasetName name, String guid) {
        return name.parent().orElseThrow().child(HIDDEN + guid + ":" + name.leaf());
    }

    /** Whether a dataset is a volume that was deleted while others depended on it. */
    public static boolean isHidden(DatasetName name) {
        return name.leaf().startsWith(HIDDEN);
    }

    /**
     * Whether a snapshot is called as those are that are made for a clone or a copy, and go with that. One that a
     * caller asked for may be called so too; its own properties tell.
     */
    public static boolean isHelper(SnapshotName snapshot) {
        return isHelperName(snapshot.name());
    }

    /** Whether a helper could have this name. */
    public static boolean isHelperName(String name) {
        return name.startsWith(FOR_VOLUME) || name.startsWith(FOR_SNAPSHOT);
    }
}
