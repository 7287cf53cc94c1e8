package dev.fairlead.adapter.local.pool.room;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Tells which volumes and snapshots a process has added to a pool, and which it has removed. */
public final class NameChanges {
    private final FolderChanges volumes;
    private final FolderChanges snapshots;

    private NameChanges(BaseFolderLayout layout) {
        this.volumes = new FolderChanges(layout.volumes());
        this.snapshots = new FolderChanges(layout.snapshots());
    }

    /** Collects the ids that were added to one folder, and those that were removed from it. */
    private static final class FolderChanges {
        private final RecordedFolders folders;
        private final List<String> added = new ArrayList<>();
        private final List<String> removed = new ArrayList<>();

        FolderChanges(RecordedFolders folders) {
            this.folders = folders;
        }

        boolean areAll(FolderVersions before, FolderVersions now) {
            return now.isAfter(before, folders.folder(), added, removed);
        }
    }

    /**
     * Looks which of these are there.
     *
     * @param touched the keys of what the process may have added or removed
     * @param known the keys of all that was there before
     */
    public static NameChanges of(BaseFolderLayout layout, Set<String> touched, Set<String> known) throws IOException {
        NameChanges changes = new NameChanges(layout);
        for (String key : touched) {
            Optional<String> snapshot = Promises.snapshotOf(key);
            FolderChanges in = snapshot.isPresent() ? changes.snapshots : changes.volumes;
            String id = snapshot.orElse(key);
            boolean there = in.folders.accepts(id)
                    && RecordedFolders.stat(in.folders.place(id)).isPresent();
            if (there != known.contains(key)) {
                (there ? in.added : in.removed).add(id);
            }
        }
        return changes;
    }

    /** Returns whether nothing else was added or removed between two versions, by what the folders count. */
    public boolean areAll(FolderVersions before, FolderVersions now) {
        if (now.equals(before)) {
            return added().findAny().isEmpty() && removed().findAny().isEmpty();
        }
        return volumes.areAll(before, now) && snapshots.areAll(before, now);
    }

    /** Returns the keys of what was added. */
    public Stream<String> added() {
        return keys(volumes.added, snapshots.added);
    }

    /** Returns the keys of what was removed. */
    public Stream<String> removed() {
        return keys(volumes.removed, snapshots.removed);
    }

    private static Stream<String> keys(List<String> volumes, List<String> snapshots) {
        return Stream.concat(volumes.stream(), snapshots.stream().map(Promises::ofSnapshot));
    }
}
