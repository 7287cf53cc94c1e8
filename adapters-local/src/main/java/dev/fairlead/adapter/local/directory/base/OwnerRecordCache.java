package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.record.Records;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the mark of a base folder's owner, and parses it only if the file is another one than before.
 *
 * <p>Each call looks at the mark several times. It is never written in place, so another mark is another file by its
 * number, its time or its size. A file without a number is always read.
 */
final class OwnerRecordCache {
    private volatile @Nullable Entry last;

    /** Returns the record of a file, or empty if it does not exist or is incomplete. */
    Optional<OwnerRecord> read(Path file) throws IOException {
        Optional<Version> version = RecordedFolders.stat(file).flatMap(Version::of);
        Entry before = last;
        if (before != null && version.filter(before.version()::equals).isPresent()) {
            return Optional.of(before.mark());
        }
        Optional<OwnerRecord> mark = Records.read(file).map(OwnerRecord::new);
        if (version.isPresent() && mark.isPresent()) {
            last = new Entry(version.get(), mark.get());
        }
        return mark;
    }

    /** Tells one content of a file from another. */
    private record Version(Object key, FileTime modified, long size) {
        static Optional<Version> of(BasicFileAttributes file) {
            return Optional.ofNullable(file.fileKey())
                    .map(key -> new Version(key, file.lastModifiedTime(), file.size()));
        }
    }

    private record Entry(Version version, OwnerRecord mark) {}
}
