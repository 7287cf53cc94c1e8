package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.record.GroupRecord;
import dev.fairlead.adapter.local.directory.settings.LocalNodeSettings;
import dev.fairlead.adapter.local.directory.tree.AbsentNames;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.domain.base.BaseMark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Says where things are below one base folder.
 *
 * <pre>
 * v/&lt;id&gt;                          volumes, with democratic-csi's names
 * s/&lt;volume id&gt;-&lt;name&gt;            snapshots, with democratic-csi's names
 * .fairlead/volumes/&lt;id&gt;.json     what is known of a volume besides its content
 * .fairlead/snapshots/&lt;id&gt;.json   the same of a snapshot
 * .fairlead/groups/&lt;id&gt;.json      which snapshots are a group; made with the first one
 * .fairlead/partial/              what is being made
 * .fairlead/trash/                what is being deleted
 * .fairlead/owner                 the mark of the base's owner
 * </pre>
 *
 * <p>If several nodes share the base, {@code partial} and {@code trash} are in {@code .fairlead/nodes/<node>}, and
 * {@code .fairlead/claims} says which node makes what.
 *
 * <p>A layout of {@link Guests} has the same base, mark and trash, and other volumes and snapshots.
 */
public final class BaseFolderLayout {
    private static final Pattern VOLUME_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");

    /** At most 200 of the 255 bytes of a file name, since a record's or a partial folder's name is longer. */
    private static final Pattern SNAPSHOT_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_:.+-]{0,199}");

    private final Path base;
    private final Path state;
    private final RecordedFolders volumes;
    private final RecordedFolders snapshots;
    private final RecordedFolders groups;
    private final Path partial;
    private final Path trash;
    private final Path owner;
    private final List<Path> folders;
    private final Optional<Guests> guests;
    private final ContentElsewhere elsewhere;
    private final Optional<NodePlaces> node;

    public BaseFolderLayout(Path base) {
        this(base, Optional.empty(), ContentElsewhere.NONE, Optional.empty());
    }

    private BaseFolderLayout(
            Path base, Optional<Guests> guests, ContentElsewhere elsewhere, Optional<LocalNodeSettings> thisNode) {
        this.base = base;
        this.guests = guests;
        this.elsewhere = elsewhere;
        this.state = base.resolve(BaseMark.FOLDER);
        RecordedFolders own = new RecordedFolders("volume", base.resolve("v"), state.resolve("volumes"), VOLUME_ID);
        RecordedFolders ownSnapshots =
                new RecordedFolders("snapshot", base.resolve("s"), state.resolve("snapshots"), SNAPSHOT_ID);
        this.volumes = guests.map(it -> it.volumes(base, state)).orElse(own);
        this.snapshots = guests.map(it -> it.snapshots(state)).orElse(ownSnapshots);
        Path group = state.resolve("groups");
        this.groups = new RecordedFolders("group", group, group, GroupRecord.ID);
        this.node = thisNode.flatMap(it -> it.name().map(name -> new NodePlaces(state, name, it.mounts())));
        this.partial = node.map(NodePlaces::own).orElse(state).resolve(NodePlaces.PARTIAL);
        this.trash = node.map(NodePlaces::own).orElse(state).resolve(NodePlaces.TRASH);
        this.owner = state.resolve(BaseMark.FILE);
        List<Path> all = new ArrayList<>(
                List.of(state, own.folder(), ownSnapshots.folder(), own.records(), ownSnapshots.records()));
        node.ifPresent(it -> all.addAll(List.of(it.claims(), it.all(), it.own())));
        all.addAll(List.of(partial, trash));
        guests.ifPresent(it ->
                all.addAll(List.of(it.folder(state), snapshots.folder(), volumes.records(), snapshots.records())));
        this.folders = List.copyOf(all);
    }

    /**
     * Says which folders directly below a base are volumes that another program made.
     *
     * @param name the folder below {@code .fairlead} in which their records, and snapshots of them, are
     * @param form the form of their names, which no folder of Fairlead's own has
     */
    public record Guests(String name, Pattern form) {
        private Path folder(Path state) {
            return state.resolve(name);
        }

        private RecordedFolders volumes(Path base, Path state) {
            return new RecordedFolders("volume", base, folder(state).resolve("volumes"), form);
        }

        private RecordedFolders snapshots(Path state) {
            return new RecordedFolders(
                    "snapshot", folder(state).resolve("s"), folder(state).resolve("snapshots"), SNAPSHOT_ID);
        }
    }

    /**
     * Says where a base folder that several nodes have mounted keeps what is one node's.
     *
     * @param name this node's name
     * @param mounts the file that tells what this node has mounted
     */
    record NodePlaces(Path state, String name, Path mounts) {
        static final String PARTIAL = "partial";
        static final String TRASH = "trash";

        /** Returns the folder with a folder of each node. */
        Path all() {
            return state.resolve("nodes");
        }

        Path own() {
            return all().resolve(name);
        }

        /** Throws if this node may take what another one has just made in the base for absent, and make it again. */
        void refuseStale(Path base, DirectoryFailures failures) throws IOException {
            if (AbsentNames.areRemembered(base, mounts)) {
                throw failures.unavailable(base + " is shared, and is mounted by NFS without lookupcache=positive, so"
                        + " that this node may not see for a minute what others have made; mount it with that option on"
                        + " every node");
            }
        }

        /** Returns the folder of what a node is making. */
        Path partial(String node) {
            return all().resolve(node).resolve(PARTIAL);
        }

        /** Returns the file whose time says when a node was last at work. */
        Path alive(String node) {
            return all().resolve(node).resolve("alive");
        }

        /** Returns the folder of the files that say which node makes a volume or snapshot now. */
        Path claims() {
            return state.resolve("claims");
        }

        Path claim(RecordedFolders folders, String id) {
            return claims().resolve(folders.kind() + "." + id);
        }
    }

    /** Returns the layout of the volumes that another program made below the same base. */
    public BaseFolderLayout of(Guests its) {
        return new BaseFolderLayout(base, Optional.of(its), elsewhere, thisNode());
    }

    /** Returns the same layout, with content of new volumes that is not below {@code v} and {@code s}. */
    public BaseFolderLayout with(ContentElsewhere further) {
        return new BaseFolderLayout(base, guests, further, thisNode());
    }

    /** Returns the same layout as another path to the base shows it. */
    BaseFolderLayout at(Path path) {
        return new BaseFolderLayout(path, guests, elsewhere, thisNode());
    }

    /**
     * Returns the same layout for a base that several nodes have mounted: each makes and deletes in folders of its own.
     */
    public BaseFolderLayout sharedBy(LocalNodeSettings thisNode) {
        return new BaseFolderLayout(base, guests, elsewhere, Optional.of(thisNode));
    }

    private Optional<LocalNodeSettings> thisNode() {
        return node.map(it -> new LocalNodeSettings(Optional.of(it.name()), it.mounts()));
    }

    /** Returns where this node's own folders are, if several nodes share the base. */
    Optional<NodePlaces> node() {
        return node;
    }

    /** Returns whether another program has made volumes in the base that are served: then its storage is there. */
    boolean hasOthers() throws IOException {
        return guests.isEmpty() ? elsewhere.isFilled() : volumes.hasAny();
    }

    /** Finds content of new volumes that is not below {@code v} and {@code s}. */
    public ContentElsewhere elsewhere() {
        return elsewhere;
    }

    public Path base() {
        return base;
    }

    public RecordedFolders volumes() {
        return volumes;
    }

    public RecordedFolders snapshots() {
        return snapshots;
    }

    /** Returns the places of groups of snapshots, each of which is its record alone. */
    public RecordedFolders groups() {
        return groups;
    }

    public Path state() {
        return state;
    }

    public Path partial() {
        return partial;
    }

    public Path trash() {
        return trash;
    }

    public Path owner() {
        return owner;
    }

    /**
     * Returns all folders, parents first; the folder of state comes first of all, since it shows that the layout was
     * begun by Fairlead.
     */
    public List<Path> folders() {
        return folders;
    }
}
