package dev.fairlead.adapter.local.pool.hostpath;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout.Guests;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.domain.volume.HostpathName;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Knows which folders of a pool are volumes of kubevirt's hostpath-provisioner: {@code <path>/<name>} with a
 * {@link HostpathName}. Nothing else is known of them, so a folder of another name is nobody's volume.
 *
 * @param own the layout of Fairlead's own volumes in the pool
 */
public record HostpathFolders(BaseFolderLayout own) {
    private static final Guests GUESTS = new Guests("hostpath", HostpathName.FORM);

    /** Returns the layout of its volumes, and of the snapshots that Fairlead takes of them. */
    public BaseFolderLayout layout() {
        return own.of(GUESTS);
    }

    /** Returns whether it made a volume of this name; false if Fairlead has one of the same name. */
    public boolean holds(String name) throws IOException {
        return layout().volumes().accepts(name)
                && layout().volumes().isFolder(name)
                && !(own.volumes().accepts(name) && own.volumes().isFolder(name));
    }

    /** Returns whether it has made any volume in the pool. */
    boolean isFilled() throws IOException {
        return layout().volumes().hasAny();
    }

    /** Returns whether anything shows that volumes were made in the pool, so that its disk is there. */
    boolean areThere() throws IOException {
        return RecordedFolders.stat(own.owner()).isPresent() || isFilled();
    }

    Path place(String name) {
        return layout().volumes().place(name);
    }
}
