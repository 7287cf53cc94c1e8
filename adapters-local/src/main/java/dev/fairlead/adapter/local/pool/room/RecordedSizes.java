package dev.fairlead.adapter.local.pool.room;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the sizes that records of volumes and snapshots tell, those only that changed. Not for use by several threads.
 */
public final class RecordedSizes {
    private final BaseFolderLayout layout;
    private Map<Path, Known> known = new HashMap<>();
    private Map<Path, Known> former = new HashMap<>();

    public RecordedSizes(BaseFolderLayout layout) {
        this.layout = layout;
    }

    private record Known(Version version, long bytes) {}

    /** Tells whether a record is the file that it was: it is replaced, and never written to. */
    private record Version(Optional<Object> file, FileTime modified, long size) {
        static Version of(BasicFileAttributes file) {
            return new Version(Optional.ofNullable(file.fileKey()), file.lastModifiedTime(), file.size());
        }
    }

    /** Begins a look at all records. */
    public void beginAll() {
        former.putAll(known);
        known = new HashMap<>();
    }

    /** Ends a look at all records, and forgets those that were not asked for. */
    public void endAll() {
        former = new HashMap<>();
    }

    /** Returns the size in bytes by a record; 0 without one, since nobody has noted that of somebody else's folder. */
    public long of(RecordedFolders folders, String id) throws IOException {
        Path record = folders.record(id);
        Optional<Version> version = RecordedFolders.stat(record).map(Version::of);
        if (version.isEmpty()) {
            return 0;
        }
        Known before = known.getOrDefault(record, former.get(record));
        Known now = before != null && before.version().equals(version.get())
                ? before
                : new Known(version.get(), read(folders, record));
        known.put(record, now);
        return now.bytes();
    }

    private long read(RecordedFolders folders, Path record) throws IOException {
        return folders.equals(layout.volumes())
                ? ofVolume(record)
                : Records.read(record)
                        .flatMap(fields -> SnapshotRecord.of(fields).map(SnapshotRecord::size))
                        .orElse(Capacity.ZERO)
                        .bytes();
    }

    /** Returns the size in bytes that a volume's record tells now, whatever it told before; 0 without one. */
    static long ofVolume(Path record) throws IOException {
        return Records.read(record)
                .flatMap(fields -> new VolumeRecord(fields).capacity())
                .orElse(Capacity.ZERO)
                .bytes();
    }
}
