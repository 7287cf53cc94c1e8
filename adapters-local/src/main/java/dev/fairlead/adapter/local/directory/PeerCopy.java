package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.folder.RootAttributes;
import dev.fairlead.adapter.local.directory.tree.TreeMeasure;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.StoredVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks whether a volume that democratic-csi made is the copy that is asked for. democratic-csi records neither the
 * source of a copy nor that it is complete, so the volume is compared with its source: names, types and sizes.
 */
record PeerCopy(StoredVolume volume, Path folder, Path scratch, RootAttributes attributes) {
    /**
     * Returns the volume, with the content that is asked for if it proves to hold that; throws if it does not.
     *
     * @param check called again and again while the trees are read, which it ends by an exception
     */
    StoredVolume as(Content asked, Optional<Path> source, Runnable check) throws IOException {
        if (!isUntold(asked)) {
            return volume;
        }
        String missing = missing(source, check);
        if (!missing.isEmpty()) {
            throw new StorageException(new Failure.VolumeConflict(
                    volume.id().value(),
                    folder + " was made by another driver, and " + missing + "; asked for is a copy of "
                            + asked
                            + ". If no pod has used it, remove that folder, and the next call makes it anew"));
        }
        return new StoredVolume(volume.id(), volume.name(), volume.capacity(), volume.medium(), asked, volume.notes());
    }

    /** Returns whether only a comparison can tell, which reads both trees completely and may take as long as a copy. */
    boolean isUntold(Content asked) {
        return volume.name().isEmpty() && isLocalCopy(asked);
    }

    private static boolean isLocalCopy(Content asked) {
        return switch (asked) {
            case Content.OfVolume _, Content.OfSnapshot _ -> true;
            case Content.Empty _, Content.Transferred _ -> false;
        };
    }

    private String missing(Optional<Path> source, Runnable check) throws IOException {
        if (source.isEmpty()) {
            return "whether it is whole cannot be told, since its source is gone";
        }
        TreeMeasure.Shape wanted = TreeMeasure.shape(source.get(), scratch, check);
        TreeMeasure.Shape found = TreeMeasure.shape(folder, scratch, check);
        if (!found.equals(wanted)) {
            return "it does not hold what its source holds (" + found.size() + ", the source " + wanted.size()
                    + "): the copy was cut, or one of them was written to since";
        }
        String undone = attributes.missing(folder);
        return undone.isEmpty() ? "" : "its root has not got " + undone + " yet";
    }
}
