package dev.fairlead.adapter.local.pool.hostpath;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.ContentElsewhere;
import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the content of volumes and snapshots of kubevirt's hostpath-provisioner, of which new volumes are made. */
public final class HostpathContent implements ContentElsewhere {
    private final HostpathFolders folders;
    private final Optional<HostpathSnapshotFolders> theirs;

    /** @param theirs the snapshots that the program took; empty if it took none */
    public HostpathContent(BaseFolderLayout own, Optional<HostpathSnapshotFolders> theirs) {
        this.folders = new HostpathFolders(own);
        this.theirs = theirs;
    }

    @Override
    public boolean isFilled() throws IOException {
        return folders.isFilled();
    }

    @Override
    public Optional<Path> volume(NativeId id) throws IOException {
        Optional<String> name = name(id);
        return name.isPresent() && folders.holds(name.get()) ? name.map(folders::place) : Optional.empty();
    }

    @Override
    public Optional<Path> snapshot(NativeId id) throws IOException {
        Optional<String> name = name(id);
        BaseFolderLayout layout = folders.layout();
        if (name.filter(layout.snapshots()::accepts).isPresent()
                && layout.snapshots().isFolder(name.get())) {
            return name.map(layout.snapshots()::place);
        }
        return name.isPresent() && theirs.isPresent() ? theirs.get().place(name.get()) : Optional.empty();
    }

    private static Optional<String> name(NativeId id) {
        return id.value().startsWith("/") ? Optional.of(id.value().replaceFirst("^/+", "")) : Optional.empty();
    }
}
