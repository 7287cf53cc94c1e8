package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Adds up what a pool has promised, by the records of its volumes and snapshots; parses those only that changed.
 *
 * <p>A snapshot counts with what it occupies, as if it shared nothing: what it shares with its volume is written anew
 * once the volume changes. Of plain folders it is not known what they occupy: a volume counts as full, as far as the
 * file system is, and a snapshot with its volume's size.
 *
 * <p>Not for use by several threads.
 */
final class PromiseRecords {
    private final BaseFolderLayout layout;
    private final boolean images;
    private Map<Path, Known> known = new HashMap<>();

    PromiseRecords(BaseFolderLayout layout, PoolKind kind) {
        this.layout = layout;
        this.images = kind == PoolKind.IMAGE;
    }

    /** @param volumes the promises to single volumes */
    record Sums(Map<String, Long> volumes, long promised, long used) {
        long promised(String id) {
            return volumes.getOrDefault(id, 0L);
        }
    }

    private record Known(String version, long bytes) {}

    Sums read() throws IOException {
        Map<Path, Known> seen = new HashMap<>();
        Map<String, Long> volumes = new HashMap<>();
        long promised = 0;
        long used = 0;
        try (FileCalls calls = new FileCalls()) {
            for (String id : layout.volumes().ids()) {
                long bytes = recorded(layout.volumes(), id, seen);
                long occupied = occupied(calls, layout.volumes(), id).orElse(bytes);
                volumes.put(id, bytes);
                promised += bytes;
                used += Math.min(bytes, occupied);
            }
            for (String id : layout.snapshots().ids()) {
                long bytes = recorded(layout.snapshots(), id, seen);
                long occupied = occupied(calls, layout.snapshots(), id).orElse(bytes);
                promised += occupied;
                used += occupied;
            }
        }
        known = seen;
        return new Sums(Map.copyOf(volumes), promised, used);
    }

    private long recorded(RecordedFolders folders, String id, Map<Path, Known> seen) throws IOException {
        Path record = folders.record(id);
        Optional<String> version = RecordedFolders.stat(record).map(PromiseRecords::version);
        if (version.isEmpty()) {
            return 0; // somebody else's folder, whose size nobody has noted
        }
        Known before = known.get(record);
        Known now = before != null && before.version().equals(version.get())
                ? before
                : new Known(version.get(), parsed(folders, record));
        seen.put(record, now);
        return now.bytes();
    }

    private static String version(BasicFileAttributes file) {
        return file.fileKey() + " " + file.lastModifiedTime() + " " + file.size();
    }

    private long parsed(RecordedFolders folders, Path record) throws IOException {
        return Records.read(record)
                .flatMap(fields -> folders.equals(layout.volumes())
                        ? new VolumeRecord(fields).capacity()
                        : SnapshotRecord.of(fields).map(SnapshotRecord::size))
                .orElse(Capacity.ZERO)
                .bytes();
    }

    private Optional<Long> occupied(FileCalls calls, RecordedFolders folders, String id) throws IOException {
        if (!images) {
            return Optional.empty();
        }
        try {
            return Optional.of(calls.stat(ImageForm.image(folders.place(id))).allocated());
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return Optional.of(0L); // it is being deleted
            }
            throw e;
        }
    }
}
