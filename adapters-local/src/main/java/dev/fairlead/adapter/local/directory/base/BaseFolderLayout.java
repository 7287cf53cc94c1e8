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
public record BaseFolderLayout(Path base) {
    private static final Pattern VOLUME_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");

    /** At most 200 of the 255 bytes of a file name, since a record's or a partial folder's name is longer. */
    private static final Pattern SNAPSHOT_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_:.+-]{0,199}");

    public RecordedFolders volumes() {
        return new RecordedFolders("volume", base.resolve("v"), state().resolve("volumes"), VOLUME_ID);
    }

    public RecordedFolders snapshots() {
        return new RecordedFolders("snapshot", base.resolve("s"), state().resolve("snapshots"), SNAPSHOT_ID);
    }

    public Path state() {
        return base.resolve(".fairlead");
    }

    public Path partial() {
        return state().resolve("partial");
    }

    Path trash() {
        return state().resolve("trash");
    }

    Path owner() {
        return state().resolve("owner");
    }

    /**
     * Returns all folders, parents first; the folder of state comes first of all, since it shows that the layout was
     * begun by Fairlead.
     */
    public List<Path> folders() {
        return List.of(
                state(),
                volumes().folder(),
                snapshots().folder(),
                volumes().records(),
                snapshots().records(),
                partial(),
                trash());
    }
}
