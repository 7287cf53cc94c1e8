package dev.fairlead.zfs.dataset;

import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Says where volumes and snapshots are, and what ids they have; the names are democratic-csi's.
 *
 * <p>A volume is {@code <parent>/<id>}. A snapshot is {@code <parent>/<id>@<name>} with the id {@code <id>@<name>}; a
 * detached one is {@code <detached parent>/<id>/<name>} with the id {@code <id>/<name>}. Below a parent that has a
 * label a volume is {@code <that parent>/<leaf>} with the id {@code <label>.<leaf>}; the rest is the same.
 *
 * @param detachedParent the dataset below which detached snapshots are, if there are any
 */
public record DatasetLayout(Parents parents, Optional<DatasetName> detachedParent) {
    private static final String HIDDEN = "fairlead:deleted:";
    private static final String STAGED = "fairlead:making:";
    private static final String FOR_VOLUME = "volume-source-for-volume-";
    private static final String FOR_SNAPSHOT = "volume-source-for-snapshot-";
    private static final String FOR_GROUP = "fairlead:group:";

    /** The lengths, in bytes of a digest, of what tells a group, and what tells a request for it. */
    private static final int GROUP_BYTES = 8;

    private static final int REQUEST_BYTES = 6;

    /** The length of {@code pvc-<uuid>}, the usual id, in bytes. */
    private static final int SHORTENED = 40;

    private static final int STAGED_BYTES = 13;

    /** The longest parent below which every volume can be staged, and put aside. */
    public static final int LONGEST_PARENT = DatasetName.MAX_BYTES - 1 - STAGED.length() - SHORTENED;

    private static final Pattern LEAF = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");
    private static final Pattern SNAPSHOT_NAME = Pattern.compile("[A-Za-z0-9_:.][A-Za-z0-9_:.-]*");

    /** Says what an id of a snapshot stands for: a ZFS snapshot, or a detached one. */
    public sealed interface Place {
        /** Returns the volume that the snapshot was taken of. */
        NativeId volume();

        record Snapshot(NativeId volume, SnapshotName name) implements Place {}

        record Detached(NativeId volume, DatasetName name) implements Place {}
    }

    /** Creates the layout of volumes that all lie below one parent. */
    public DatasetLayout(DatasetName parent, Optional<DatasetName> detachedParent) {
        this(Parents.only(parent), detachedParent);
    }

    /** Returns the dataset of the volume of this id; empty for an id that no volume of this store can have. */
    public Optional<DatasetName> volume(NativeId id) {
        return LEAF.matcher(leaf(id)).matches()
                ? parents.of(id.value()).flatMap(parent -> DatasetName.of(parent + "/" + leaf(id)))
                : Optional.empty();
    }

    /** Returns the volume that a dataset is; empty for datasets that lie deeper, whatever marks they inherited. */
    public Optional<NativeId> volume(DatasetName dataset) {
        return LEAF.matcher(dataset.leaf()).matches()
                ? dataset.parent().flatMap(parents::prefix).map(prefix -> new NativeId(prefix + dataset.leaf()))
                : Optional.empty();
    }

    /** Returns the datasets that volumes of the same name have below the other parents. */
    public List<DatasetName> namesakes(DatasetName volume) {
        return parents.all().stream()
                .filter(parent -> !volume.isBelow(parent))
                .flatMap(parent -> DatasetName.of(parent + "/" + volume.leaf()).stream())
                .toList();
    }

    /**
     * Returns the label in an id of a volume or snapshot if no parent has it (any more); else empty. If there are no
     * labels at all, the result is empty, since no id was ever made with one.
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

    /** Says whether a volume could have this id, whatever parents there are. */
    private static boolean hasForm(NativeId id) {
        int end = id.value().indexOf(Parents.END_OF_LABEL);
        return LEAF.matcher(leaf(id)).matches()
                && (end < 0 || Parents.isLabel(id.value().substring(0, end)));
    }

    private static String leaf(NativeId id) {
        return id.value().substring(id.value().indexOf(Parents.END_OF_LABEL) + 1);
    }

    /** Returns the id of the volume from its own id or that of a snapshot of it. */
    public static String volumeOf(NativeId id) {
        return id.value().split("[@/]", 2)[0];
    }

    /** Returns the place of the snapshot of this id; empty for an id that no snapshot of this store can have. */
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

    /** Returns the id of a snapshot; empty if it was not taken of a volume. */
    public Optional<NativeId> snapshot(SnapshotName snapshot) {
        return volume(snapshot.dataset())
                .filter(_ -> SNAPSHOT_NAME.matcher(snapshot.name()).matches())
                .map(volume -> new NativeId(volume + "@" + snapshot.name()));
    }

    /** Returns the snapshot that a clone of a whole volume is made of. */
    public SnapshotName originFor(DatasetName source, NativeId clone) {
        return helper(source, FOR_VOLUME, clone.value());
    }

    /** Returns the snapshot that a detached snapshot is a copy of. */
    public SnapshotName originFor(DatasetName source, DatasetName detached) {
        return helper(source, FOR_SNAPSHOT, detached.leaf());
    }

    /**
     * Returns a helper with democratic-csi's name, or with a much shorter one if ZFS does not take that: it has to fit
     * below the clone too, to which a promotion moves it.
     */
    private static SnapshotName helper(DatasetName source, String purpose, String what) {
        int room = DatasetName.MAX_BYTES - source.value().length() - 1 - purpose.length();
        return source.snapshot(
                purpose + (what.length() > room ? IdPolicy.shorten(what, Math.min(room, SHORTENED)) : what));
    }

    /**
     * Returns the beginning of the names that the snapshots of a group have where the storage gives all of them the
     * same name and cannot mark them in the step that takes them. By that name they are ours, and of that group.
     */
    public static String groupPrefix(NativeId group) {
        return FOR_GROUP + HexFormat.of().formatHex(Digests.sha256(group.value()), 0, GROUP_BYTES) + "-";
    }

    /**
     * Returns the name itself, which fits into each id that leaves room for {@code @snapshot-<uuid>}.
     *
     * @param request tells the request for the group from others under the same name
     */
    public static String groupName(NativeId group, String request) {
        return groupPrefix(group) + HexFormat.of().formatHex(Digests.sha256(request), 0, REQUEST_BYTES);
    }

    /** Says whether the snapshots of a group may have this name. */
    public static boolean isGroupName(String name) {
        return name.startsWith(FOR_GROUP);
    }

    /** Returns the dataset for a detached snapshot of a volume; empty if the connection names no parent for them. */
    public Optional<DatasetName> detached(NativeId volume, String name) {
        return detachedParent.flatMap(top -> DatasetName.of(top + "/" + volume + "/" + name));
    }

    /** Returns the id of a detached snapshot; empty if the dataset is none. */
    public Optional<NativeId> detached(DatasetName dataset) {
        return dataset.parent()
                .filter(above -> above.parent().equals(detachedParent))
                .map(above -> above.leaf() + "/" + dataset.leaf())
                .flatMap(NativeId::read)
                .filter(id -> snapshot(id).isPresent());
    }

    /**
     * Returns a name, which no id of a volume can give, for a volume that was deleted while others depended on it. It
     * ends with the volume's own if that leaves room for its snapshots, since ZFS refuses to rename what would have too
     * long a name then.
     *
     * @param guid the guid of the dataset, since several may have had the same name one after the other
     * @param snapshots those of the dataset
     */
    public static DatasetName hidden(DatasetName name, String guid, Collection<SnapshotName> snapshots) {
        DatasetName parent = name.parent().orElseThrow();
        String telling = HIDDEN + guid + ":" + name.leaf();
        int longest = snapshots.stream()
                .mapToInt(snapshot -> 1 + snapshot.name().length())
                .max()
                .orElse(0);
        boolean fits = parent.value().length() + 1 + telling.length() + longest <= DatasetName.MAX_BYTES;
        return parent.child(fits ? telling : HIDDEN + guid);
    }

    /**
     * Returns the name, which no id of a volume can give, under which a volume is made if the storage cannot mark it in
     * the step that makes it. By that name it is ours, and it is nobody's volume.
     */
    public static DatasetName staged(DatasetName name) {
        DatasetName parent = name.parent().orElseThrow();
        boolean fits =
                parent.value().length() + 1 + STAGED.length() + name.leaf().length() <= DatasetName.MAX_BYTES;
        return parent.child(
                STAGED + (fits ? name.leaf() : HexFormat.of().formatHex(Digests.sha256(name.leaf()), 0, STAGED_BYTES)));
    }

    /** Says whether a dataset is one that was to become a volume. */
    public static boolean isStaged(DatasetName name) {
        return name.leaf().startsWith(STAGED);
    }

    /** Says whether a dataset is a volume that was deleted while others depended on it. */
    public static boolean isHidden(DatasetName name) {
        return name.leaf().startsWith(HIDDEN);
    }

    /**
     * Says whether a snapshot has the name of a helper, which is made for a clone, a copy or a group and destroyed with
     * it. One that a caller asked for may have such a name too; its own properties tell.
     */
    public static boolean isHelper(SnapshotName snapshot) {
        return isHelperName(snapshot.name());
    }

    /** Says whether a helper could have this name. */
    public static boolean isHelperName(String name) {
        return name.startsWith(FOR_VOLUME) || name.startsWith(FOR_SNAPSHOT) || isGroupName(name);
    }
}
