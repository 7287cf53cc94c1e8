package dev.fairlead.adapter.local.directory.base;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Says where things are below one base folder.
 *
 * <pre>
 * v/&lt;id&gt;                          volumes, with democratic-csi's names
 * s/&lt;volume id&gt;-&lt;name&gt;            snapshots, with democratic-csi's names
 * .fairlead/volumes/&lt;id&gt;.json     what is known of a volume besides its content
 * .fairlead/snapshots/&lt;id&gt;.json   the same of a snapshot
 * .fairlead/partial/              what is being made
 * .fairlead/trash/                what is being deleted
 * .fairlead/owner                 the mark of the base's owner
 * </pre>
 */
public final class BaseFolderLayout {
    private static final Pattern VOLUME_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");

    /** At most 200 of the 255 bytes of a file name, since a record's or a partial folder's name is longer. */
    private static final Pattern SNAPSHOT_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_:.+-]{0,199}");

    private final Path base;
    private final Path state;
    private final RecordedFolders volumes;
    private final RecordedFolders snapshots;
    private final Path partial;
    private final Path trash;
    private final Path owner;
    private final List<Path> folders;

    public BaseFolderLayout(Path base) {
        this.base = base;
        this.state = base.resolve(".fairlead");
        this.volumes = new RecordedFolders("volume", base.resolve("v"), state.resolve("volumes"), VOLUME_ID);
        this.snapshots = new RecordedFolders("snapshot", base.resolve("s"), state.resolve("snapshots"), SNAPSHOT_ID);
        this.partial = state.resolve("partial");
        this.trash = state.resolve("trash");
        this.owner = state.resolve("owner");
        this.folders = List.of(
                state, volumes.folder(), snapshots.folder(), volumes.records(), snapshots.records(), partial, trash);
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

    public Path state() {
        return state;
    }

    public Path partial() {
        return partial;
    }

    Path trash() {
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
