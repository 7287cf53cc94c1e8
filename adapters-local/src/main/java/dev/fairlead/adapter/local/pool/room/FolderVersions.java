package dev.fairlead.adapter.local.pool.room;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.linux.FolderVersion;
import dev.fairlead.linux.LinuxException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tells what some folders are at one time: while it is the same, nothing was added to them, removed or replaced. */
public record FolderVersions(Map<Path, FolderVersion> all) {
    public FolderVersions {
        all = Map.copyOf(all);
    }

    /** Returns those of volumes, snapshots and their records; empty if any is not there or has none. */
    public static Optional<FolderVersions> of(BaseFolderLayout layout) {
        Map<Path, FolderVersion> found = new LinkedHashMap<>();
        for (Path folder : List.of(
                layout.volumes().folder(),
                layout.volumes().records(),
                layout.snapshots().folder(),
                layout.snapshots().records())) {
            Optional<FolderVersion> version = now(folder);
            if (version.isEmpty()) {
                return Optional.empty();
            }
            found.put(folder, version.get());
        }
        return Optional.of(new FolderVersions(found));
    }

    private static Optional<FolderVersion> now(Path folder) {
        try {
            return FolderVersion.of(folder);
        } catch (LinuxException _) {
            return Optional.empty(); // what is wrong with the folder is told by who reads it
        }
    }

    /** Returns whether each change after a time gives one of the folders another version. */
    public boolean areSettled(Instant then) {
        return all.values().stream().allMatch(version -> version.isSettled(then));
    }

    /** Returns whether these are versions of the same folders, none of them older. */
    public boolean follow(FolderVersions before) {
        return all.entrySet().stream().allMatch(it -> {
            FolderVersion version = before.all.get(it.getKey());
            return version != null && it.getValue().follows(version);
        });
    }

    /**
     * Returns whether a folder has as many folders in it as before and after these changes, by its own count, so that
     * its names need not be read.
     */
    public boolean isAfter(FolderVersions before, Path folder, Collection<String> added, Collection<String> removed) {
        FolderVersion now = all.get(folder);
        FolderVersion then = before.all.get(folder);
        return now != null && then != null && now.count().isAfter(then.count(), added, removed);
    }

    /** Returns one of the folders that is not there any more, or is another one; what changed in it does not matter. */
    public Optional<Path> gone() {
        return all.entrySet().stream()
                .filter(it ->
                        now(it.getKey()).filter(it.getValue()::isOfSameFolder).isEmpty())
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
