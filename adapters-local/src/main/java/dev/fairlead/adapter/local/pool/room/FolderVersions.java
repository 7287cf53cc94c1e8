package dev.fairlead.adapter.local.pool.room;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.tree.KeptNames;
import dev.fairlead.linux.FolderVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells what some folders are at one time: while it is the same, nothing was added to them, removed or replaced. */
public record FolderVersions(Map<Path, FolderVersion> all) {
    public FolderVersions {
        all = Map.copyOf(all);
    }

    /**
     * Returns those of volumes, snapshots and their records; empty if any proves nothing later, or is not there.
     *
     * @param begun a time before this call
     */
    public static Optional<FolderVersions> of(BaseFolderLayout layout, Instant begun) {
        Map<Path, FolderVersion> found = new LinkedHashMap<>();
        for (Path folder : List.of(
                layout.volumes().folder(),
                layout.volumes().records(),
                layout.snapshots().folder(),
                layout.snapshots().records())) {
            Optional<FolderVersion> version = KeptNames.settled(folder, begun);
            if (version.isEmpty()) {
                return Optional.empty();
            }
            found.put(folder, version.get());
        }
        return Optional.of(new FolderVersions(found));
    }

    /** Returns one of the folders that is not there any more, or is another one; what changed in it does not matter. */
    public Optional<Path> gone() {
        return all.entrySet().stream()
                .filter(it -> !isThere(it.getKey(), it.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static boolean isThere(Path folder, FolderVersion before) {
        try {
            return FolderVersion.of(folder).filter(before::isOfSameFolder).isPresent();
        } catch (IOException _) {
            return false;
        }
    }
}
