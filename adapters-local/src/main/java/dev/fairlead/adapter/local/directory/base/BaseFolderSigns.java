package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds the signs that tell a base folder that was used from any other folder: its folders of volumes and of snapshots,
 * and the mark of its owner.
 *
 * @param folders the names of those folders that exist
 * @param missing those folders of the whole layout that do not exist
 * @param others whether another program has made volumes there that are served; not asked where there is a mark
 */
record BaseFolderSigns(Set<String> folders, List<Path> missing, Optional<OwnerRecord> mark, boolean others) {
    BaseFolderSigns {
        folders = Set.copyOf(folders);
        missing = List.copyOf(missing);
    }

    /**
     * Looks at what is below the base now; throws if something in a folder's place is not a folder. The mark is made
     * after the folders and so looked at before them: if it exists, they do.
     */
    static BaseFolderSigns of(BaseFolderLayout layout, OwnerMark ownerMark) throws IOException {
        Optional<OwnerRecord> mark = ownerMark.check(layout);
        Set<String> folders = new TreeSet<>();
        List<Path> missing = new ArrayList<>();
        for (Path folder : layout.folders()) {
            if (!isThere(folder)) {
                missing.add(folder);
            } else if (layout.base().equals(folder.getParent()) && !folder.equals(layout.state())) {
                folders.add(String.valueOf(folder.getFileName()));
            }
        }
        return new BaseFolderSigns(folders, missing, mark, mark.isEmpty() && layout.hasOthers());
    }

    /** Returns whether nothing shows that a volume was ever made here. */
    boolean areNone() {
        return folders.isEmpty() && mark.isEmpty() && !others;
    }

    /**
     * Returns whether nothing was here except what an earlier attempt to lay it out made before it ended without a
     * mark.
     */
    boolean areOfBegunLayout(BaseFolderLayout layout) throws IOException {
        if (mark.isPresent() || others || missing.contains(layout.state())) {
            return false;
        }
        RecordedFolders volumes = layout.volumes();
        RecordedFolders snapshots = layout.snapshots();
        for (Path folder : List.of(volumes.folder(), volumes.records(), snapshots.folder(), snapshots.records())) {
            if (!missing.contains(folder) && !isEmpty(folder)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        }
    }

    /**
     * Returns a text that says what these signs had, or must have had, and later ones have not; empty if nothing is
     * lost.
     */
    Optional<String> lostIn(BaseFolderSigns now) {
        Set<String> lost = new TreeSet<>(now.mark.isPresent() ? Set.of("v", "s") : folders);
        lost.removeAll(now.folders);
        if (mark.isPresent() && now.mark.isEmpty()) {
            lost.add(".fairlead/owner");
        }
        if (others && !now.others && now.mark.isEmpty()) {
            lost.add("the volumes of another program"); // whoever deletes the last of them makes the mark before
        }
        if (!lost.isEmpty()) {
            return Optional.of("has lost " + String.join(", ", lost));
        }
        return now.isAnotherThan(this) ? Optional.of("shows another base folder than before") : Optional.empty();
    }

    /** Returns whether this is a complete base with our mark, but not the one that was there before. */
    boolean isWholeAndAnotherThan(BaseFolderSigns before) {
        return isAnotherThan(before) && lostIn(this).isEmpty();
    }

    /** Returns whether the mark here is not the one that was there before. */
    boolean isAnotherThan(BaseFolderSigns before) {
        return before.mark.flatMap(was -> mark.map(is -> !is.mayBe(was))).orElse(false);
    }

    private static boolean isThere(Path folder) throws IOException {
        Optional<BasicFileAttributes> found = RecordedFolders.stat(folder);
        if (found.isPresent() && !found.get().isDirectory()) {
            throw new StorageException(new Failure.NotOurs(
                    "the folder " + folder, found.get().isSymbolicLink() ? "a symbolic link" : "a file"));
        }
        return found.isPresent();
    }
}
