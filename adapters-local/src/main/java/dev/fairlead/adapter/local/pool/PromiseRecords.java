package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.adapter.local.pool.PromiseRecords.Sums.Share;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.adapter.local.pool.kind.SharedAnswer;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up what a pool has promised, by the records of its volumes and snapshots; parses those only that changed.
 *
 * <p>A volume counts with what its record says, or with the length of its image or its quota if that is more: its
 * growth may have ended in between.
 *
 * <p>A snapshot counts with what it occupies, as if it shared nothing: what it shares with its volume is written anew
 * once the volume changes. Of plain folders it is not known what they occupy: a volume counts as full, as far as the
 * file system is, and a snapshot with its volume's size.
 *
 * <p>Two threads may use it, one that reads and one that restores limits.
 */
final class PromiseRecords {
    private static final Logger LOG = LoggerFactory.getLogger(PromiseRecords.class);

    private final BaseFolderLayout layout;
    private final Supplier<Occupancy> occupancies;
    private Map<Path, Known> known = new HashMap<>();

    /** The volumes whose limits could not be set again, the last one that was tried at the end. */
    private final Set<Path> refused = new LinkedHashSet<>();

    /** The volumes whose limits are not what their records say, by the last reading, and their ids. */
    private volatile Map<Path, String> lacking = Map.of();

    private final AtomicBoolean restoring = new AtomicBoolean();

    PromiseRecords(BaseFolderLayout layout, Supplier<Occupancy> occupancies) {
        this.layout = layout;
        this.occupancies = occupancies;
    }

    private record Known(Version version, long bytes) {}

    /** Tells whether a record is the file that it was: it is replaced, and never written to. */
    private record Version(Optional<Object> file, FileTime modified, long size) {
        static Version of(BasicFileAttributes file) {
            return new Version(Optional.ofNullable(file.fileKey()), file.lastModifiedTime(), file.size());
        }
    }

    /** @param place the pool's folder, or the one in which it will be made */
    Sums read(Path place) throws IOException {
        Map<Path, Known> seen = new HashMap<>();
        Map<String, Share> sums = new HashMap<>();
        Map<Path, String> without = new LinkedHashMap<>();
        long promised = 0;
        long used = 0;
        try (Occupancy occupancy = occupancies.get()) {
            occupancy.check(place);
            for (String id : layout.volumes().ids()) {
                long recorded = recorded(layout.volumes(), id, seen);
                Path folder = layout.volumes().place(id);
                Optional<Occupancy.SpaceUse> found = occupancy.of(folder);
                boolean lacks = found.filter(use -> use.lacks(recorded)).isPresent();
                if (lacks) {
                    without.put(folder, id);
                }
                // What has no limit may be larger than what its record says.
                long most = found.map(use -> lacks ? Math.max(use.length(), use.bytes()) : use.length())
                        .orElse(0L);
                long bytes = Math.max(recorded, most);
                long occupied = found.map(Occupancy.SpaceUse::bytes).orElse(bytes);
                Share share = new Share(bytes, Math.min(bytes, occupied));
                sums.put(id, share);
                promised += share.promised();
                used += share.used();
            }
            for (String id : layout.snapshots().ids()) {
                long bytes = recorded(layout.snapshots(), id, seen);
                long occupied = occupancy
                        .of(layout.snapshots().place(id))
                        .map(Occupancy.SpaceUse::bytes)
                        .orElse(bytes);
                sums.put(Promises.ofSnapshot(id), new Share(occupied, occupied));
                promised += occupied;
                used += occupied;
            }
        }
        known = seen;
        lacking = without;
        return new Sums(sums, promised, used);
    }

    /**
     * Gives volumes that lack them their limits again. Who asks for it waits for the time of its call at most, and what
     * takes longer goes on; nobody begins it again meanwhile.
     *
     * @param left the time of the call; zero for one that does not wait
     */
    void restore(Path pool, DiskQuestion question, Duration left) {
        if (lacking.isEmpty() || !restoring.compareAndSet(false, true)) {
            return;
        }
        SharedAnswer<Boolean> done = new SharedAnswer<>(question, pool + " with its limits");
        boolean asked = false;
        try {
            done.ask(() -> {
                try {
                    restore();
                    return true;
                } finally {
                    restoring.set(false);
                }
            });
            asked = true;
            var _ = done.within(left);
        } catch (IOException | StorageException e) {
            LOG.atDebug().addKeyValue("pool", pool).setCause(e).log("limits are not all set again yet");
        } finally {
            if (!asked) {
                restoring.set(false);
            }
        }
    }

    /**
     * Gives them their limits again. The first that cannot be restored ends it until the next time, when it is the last
     * one: each may take as long as a program is waited for, and the pool is of use without.
     */
    private void restore() throws IOException {
        Map<Path, String> all = lacking;
        refused.retainAll(all.keySet());
        List<Path> order = new ArrayList<>(all.keySet());
        order.removeAll(refused);
        order.addAll(refused);
        try (Occupancy occupancy = occupancies.get()) {
            for (Path folder : order) {
                if (!restored(occupancy, folder, all.getOrDefault(folder, ""))) {
                    return;
                }
            }
        }
    }

    /** Gives one volume its limit, if it still lacks it: it may have grown meanwhile. */
    private boolean restored(Occupancy occupancy, Path folder, String id) {
        try {
            long size = parsed(layout.volumes(), layout.volumes().record(id));
            if (occupancy.of(folder).filter(use -> use.lacks(size)).isPresent()) {
                occupancy.restore(folder, size);
                long now = parsed(layout.volumes(), layout.volumes().record(id));
                if (now > size) { // it has grown in between, and had a larger limit already
                    occupancy.restore(folder, now);
                }
            }
            refused.remove(folder);
            return true;
        } catch (IOException | StorageException e) {
            if (!refused.remove(folder)) {
                LOG.atWarn()
                        .addKeyValue("volume", folder)
                        .setCause(e)
                        .log("a volume's limit is gone and cannot be set again; it is tried again");
            }
            refused.add(folder);
            return false;
        }
    }

    private long recorded(RecordedFolders folders, String id, Map<Path, Known> seen) throws IOException {
        Path record = folders.record(id);
        Optional<Version> version = RecordedFolders.stat(record).map(Version::of);
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

    private long parsed(RecordedFolders folders, Path record) throws IOException {
        return Records.read(record)
                .flatMap(fields -> folders.equals(layout.volumes())
                        ? new VolumeRecord(fields).capacity()
                        : SnapshotRecord.of(fields).map(SnapshotRecord::size))
                .orElse(Capacity.ZERO)
                .bytes();
    }

    /** Holds what a pool has promised and what of it is used, as it was read once. Not for use by several threads. */
    static final class Sums {
        private final Map<String, Share> single;
        private long promised;
        private long used;

        /**
         * @param single the shares of single volumes and snapshots
         * @param used what is used in all, which is less than the shares say if it is not known
         */
        Sums(Map<String, Share> single, long promised, long used) {
            this.single = new HashMap<>(single);
            this.promised = promised;
            this.used = used;
        }

        /** Holds what is promised to one volume or snapshot, and what of it is used. */
        record Share(long promised, long used) {
            static final Share NONE = new Share(0, 0);
        }

        Map<String, Share> single() {
            return single;
        }

        long promised() {
            return promised;
        }

        long promised(String id) {
            return single.getOrDefault(id, Share.NONE).promised();
        }

        long used() {
            return used;
        }

        /** Takes out what was deleted. */
        void remove(String id) {
            Share gone = single.getOrDefault(id, Share.NONE);
            single.remove(id);
            promised -= gone.promised();
            used = Math.max(0, used - gone.used());
        }
    }
}
