package dev.fairlead.adapter.local.directory.base;

import java.nio.file.Path;
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

    /** Returns whether nothing shows that a volume was ever made here. */
    boolean areNone() {
        return folders.isEmpty() && mark.isEmpty() && !others;
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
}
