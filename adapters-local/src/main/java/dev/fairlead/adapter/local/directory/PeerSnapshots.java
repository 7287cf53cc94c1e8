package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.directory.tree.TreeMeasure;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a snapshot without a record, one that democratic-csi took: its volume and name are known only from its id,
 * which was made of both.
 */
record PeerSnapshots(RecordedFolders volumes) {
    private static final Pattern USUAL = Pattern.compile("(.+)-(snapshot-[0-9a-f-]{36})");

    StoredSnapshot read(NativeId id, String folder, BasicFileAttributes attributes) throws IOException {
        int split = split(folder);
        NativeId source = new NativeId(split < 0 ? folder : folder.substring(0, split));
        Optional<CsiName> name = split < 0 ? Optional.empty() : Optional.of(new CsiName(folder.substring(split + 1)));
        Instant created = attributes.creationTime().toInstant();
        return new StoredSnapshot(id, name, source, Capacity.ZERO, created);
    }

    /**
     * Throws if a snapshot's copy shows that it did not come to its end, as democratic-csi leaves it if it is stopped
     * or out of room. A copy that holds all that its volume holds is complete nevertheless.
     *
     * @param copy the snapshot's folder
     * @param check called again and again while the trees are read, which it ends by an exception
     */
    void requireComplete(StoredSnapshot snapshot, Path copy, Path scratch, DirectoryFailures failures, Runnable check)
            throws IOException {
        if (!TreeMeasure.isUnfinished(copy, scratch, check)) {
            return;
        }
        String volume = snapshot.source().value();
        boolean isThere = volumes.accepts(volume) && volumes.isFolder(volume);
        if (isThere
                && TreeMeasure.shape(copy, scratch, check)
                        .equals(TreeMeasure.shape(volumes.place(volume), scratch, check))) {
            return;
        }
        throw failures.unavailable(
                copy + " is a copy by another driver that did not come to its end: folders in it have not got "
                        + "the times of the source's folders, and "
                        + (isThere ? "it does not hold what" : "there is no") + " volume "
                        + volume + (isThere ? " holds" : "")
                        + "; look whether anybody needs what it holds, remove that folder, and the next call takes the snapshot anew");
    }

    /**
     * Returns the index at which the volume's id ends: the longest that is a volume; else before a snapshot's name as
     * Kubernetes forms it; else the last dash; -1 if there is none.
     */
    private int split(String folder) throws IOException {
        for (int dash = folder.lastIndexOf('-'); dash > 0; dash = folder.lastIndexOf('-', dash - 1)) {
            String volume = folder.substring(0, dash);
            if (dash + 1 < folder.length() && volumes.accepts(volume) && volumes.isFolder(volume)) {
                return dash;
            }
        }
        Matcher usual = USUAL.matcher(folder);
        if (usual.matches()) {
            return usual.end(1);
        }
        int last = folder.lastIndexOf('-');
        return last > 0 && last + 1 < folder.length() ? last : -1;
    }
}
