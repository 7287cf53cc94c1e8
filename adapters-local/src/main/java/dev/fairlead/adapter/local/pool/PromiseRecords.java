package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
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
 * <p>A volume counts with what its record says, or with the length of its image if that is longer: its growth may have
 * ended in between.
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

    /** @param single the promises to single volumes and snapshots */
    record Sums(Map<String, Long> single, long promised, long used) {
        long promised(String id) {
            return single.getOrDefault(id, 0L);
        }
    }

    private record Known(String version, long bytes) {}

    Sums read() throws IOException {
        Map<Path, Known> seen = new HashMap<>();
        Map<String, Long> sums = new HashMap<>();
        long promised = 0;
        long used = 0;
        try (FileCalls calls = new FileCalls()) {
            for (String id : layout.volumes().ids()) {
                long recorded = recorded(layout.volumes(), id, seen);
                Optional<Image> image = image(calls, layout.volumes(), id);
                long bytes = Math.max(recorded, image.map(Image::length).orElse(0L));
                long occupied = image.map(Image::occupied).orElse(bytes);
                sums.put(id, bytes);
                promised += bytes;
                used += Math.min(bytes, occupied);
            }
            for (String id : layout.snapshots().ids()) {
                long bytes = recorded(layout.snapshots(), id, seen);
                long occupied = image(calls, layout.snapshots(), id)
                        .map(Image::occupied)
                        .orElse(bytes);
                sums.put(Promises.ofSnapshot(id), occupied);
                promised += occupied;
                used += occupied;
            }
        }
        known = seen;
        return new Sums(Map.copyOf(sums), promised, used);
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

    private record Image(long length, long occupied) {
        static final Image NONE = new Image(0, 0);
    }

    private Optional<Image> image(FileCalls calls, RecordedFolders folders, String id) throws IOException {
        if (!images) {
            return Optional.empty();
        }
        try {
            FileStat image = calls.stat(ImageForm.image(folders.place(id)));
            return Optional.of(new Image(image.size(), image.allocated()));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR) {
                return Optional.of(Image.NONE); // it is being deleted
            }
            throw e;
        }
    }
}
