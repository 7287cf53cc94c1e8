package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.record.SnapshotRecord;
import dev.fairlead.adapter.local.directory.record.VolumeRecord;
import dev.fairlead.adapter.local.directory.tree.KeptNames;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.adapter.local.pool.kind.Occupancy.InUse;
import dev.fairlead.adapter.local.pool.kind.SharedAnswer;
import dev.fairlead.adapter.local.pool.room.FolderVersions;
import dev.fairlead.adapter.local.pool.room.Sums;
import dev.fairlead.adapter.local.pool.room.Sums.Share;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
 * Adds up what a pool has promised, by the records of its volumes and snapshots; parses those only that changed, and
 * looks at none while nobody has changed the folders that they are in, for a minute at most.
 *
 * <p>A volume counts with what its record says, or with the length of its image or its quota if that is more: its
 * growth may have ended in between.
 *
 * <p>A snapshot counts with what it occupies, as if it shared nothing: what it shares with its volume is written anew
 * once the volume changes. Of plain folders it is not known what they occupy: a volume counts as full, as far as the
 * file system is, and a snapshot with its volume's size. Two threads may use this, one that reads and one that
 * restores.
 */
final class PromiseRecords {
    private static final Logger LOG = LoggerFactory.getLogger(PromiseRecords.class);

    /** The number of volumes and snapshots from which on it takes less to ask which are in use than to look at all. */
    private static final int MANY = 500;

    private final BaseFolderLayout layout;
    private final Supplier<Occupancy> occupancies;
    private final InstantSource clock;
    private final AtomicBoolean anew = new AtomicBoolean();
    private Kept kept = Kept.NOTHING;
    private Map<Path, Known> known = new HashMap<>();

    /** The volumes whose limits could not be set again, the last one that was tried at the end. */
    private final Set<Path> refused = new LinkedHashSet<>();

    /** The volumes whose limits are not what their records say, by the last reading, and their ids. */
    private volatile Map<Path, String> lacking = Map.of();

    private final AtomicBoolean restoring = new AtomicBoolean();

    /** @param clock that of the machine, by which file systems note times */
    PromiseRecords(BaseFolderLayout layout, Supplier<Occupancy> occupancies, InstantSource clock) {
        this.clock = clock;
        this.layout = layout;
        this.occupancies = occupancies;
    }

    /**
     * Holds what a reading has found.
     *
     * @param when the time since which no record was looked at
     * @param use which may have been written to since; empty if any may
     * @param volumes changed by later readings
     */
    private record Kept(
            Instant when,
            Optional<FolderVersions> versions,
            Optional<InUse> use,
            Map<String, Look> volumes,
            Map<String, Look> snapshots) {
        static final Kept NOTHING = new Kept(Instant.MIN, Optional.empty(), Optional.empty(), Map.of(), Map.of());
    }

    /** Holds what was found of one volume or snapshot. */
    private record Look(long recorded, Optional<Occupancy.SpaceUse> found) {
        boolean lacks() {
            return found.filter(use -> use.lacks(recorded)).isPresent();
        }

        Share ofVolume() {
            boolean lacks = lacks();
            // What has no limit may be larger than what its record says.
            long most = found.map(use -> lacks ? Math.max(use.length(), use.bytes()) : use.length())
                    .orElse(0L);
            long bytes = Math.max(recorded, most);
            long occupied = found.map(Occupancy.SpaceUse::bytes).orElse(bytes);
            return new Share(bytes, Math.min(bytes, occupied));
        }

        Share ofSnapshot() {
            long occupied = found.map(Occupancy.SpaceUse::bytes).orElse(recorded);
            return new Share(occupied, occupied);
        }
    }

    private record Known(Version version, long bytes) {}

    /** Tells whether a record is the file that it was: it is replaced, and never written to. */
    private record Version(Optional<Object> file, FileTime modified, long size) {
        static Version of(BasicFileAttributes file) {
            return new Version(Optional.ofNullable(file.fileKey()), file.lastModifiedTime(), file.size());
        }
    }

    /** Lets the next reading look at everything, since a call ended in the middle of something. */
    void lookAnew() {
        anew.set(true);
    }

    /** @param place the pool's folder, or the one in which it will be made */
    Sums read(Path place) throws IOException {
        if (anew.getAndSet(false)) {
            kept = Kept.NOTHING;
        }
        Kept before = kept;
        Instant begun = clock.instant();
        try (Occupancy occupancy = occupancies.get()) {
            occupancy.check(place);
            Optional<FolderVersions> versions = FolderVersions.of(layout, begun);
            boolean young = KeptNames.isYoung(before.when(), begun);
            if (young && versions.isPresent() && versions.equals(before.versions())) {
                return sums(refreshed(before, begun, occupancy));
            }
            Optional<List<String>> there = layout.volumes().idsIfThere();
            List<String> volumes = there.orElse(List.of());
            Optional<List<String>> alsoThere = layout.snapshots().idsIfThere();
            List<String> snapshots = alsoThere.orElse(List.of());
            Optional<InUse> use = inUse(volumes.size() + snapshots.size(), occupancy);
            Map<Path, Known> seen = new HashMap<>();
            Map<String, Look> ofVolumes = looks(layout.volumes(), volumes, seen, occupancy);
            Map<String, Look> ofSnapshots = looks(layout.snapshots(), snapshots, seen, occupancy);
            known = seen;
            boolean all = there.isPresent() && alsoThere.isPresent();
            proveThere(versions);
            kept = new Kept(begun, still(versions.filter(_ -> all), begun), use, ofVolumes, ofSnapshots);
            return sums(kept);
        }
    }

    private static Optional<InUse> inUse(int number, Occupancy occupancy) {
        return number < MANY ? Optional.empty() : occupancy.inUse();
    }

    /** Throws if the folders are others after a reading: what was not found may be on a disk that went away. */
    private void proveThere(Optional<FolderVersions> before) throws IOException {
        Optional<Path> gone = before.flatMap(FolderVersions::gone);
        if (gone.isPresent()) {
            kept = Kept.NOTHING;
            throw new IOException(gone.get() + " was taken away while it was read");
        }
    }

    /** Returns versions if they are the same after a reading, so that nothing changed in it; else none. */
    private Optional<FolderVersions> still(Optional<FolderVersions> versions, Instant begun) {
        return versions.filter(before ->
                FolderVersions.of(layout, begun).filter(before::equals).isPresent());
    }

    private Map<String, Look> looks(
            RecordedFolders folders, List<String> ids, Map<Path, Known> seen, Occupancy occupancy) throws IOException {
        Map<String, Look> found = new LinkedHashMap<>();
        for (String id : ids) {
            found.put(id, new Look(recorded(folders, id, seen), occupancy.of(folders.place(id))));
        }
        return found;
    }

    /** Looks at what may have been written to since: nothing was made, deleted or grown. */
    private Kept refreshed(Kept before, Instant begun, Occupancy occupancy) throws IOException {
        Optional<InUse> now = inUse(before.volumes().size() + before.snapshots().size(), occupancy);
        Optional<Set<String>> some = before.use()
                .filter(use -> now.filter(it -> it.since().equals(use.since())).isPresent())
                .map(use -> {
                    Set<String> both = new HashSet<>(use.ids());
                    both.addAll(now.orElseThrow().ids());
                    return both;
                });
        refresh(layout.volumes(), before.volumes(), some, occupancy);
        refresh(layout.snapshots(), before.snapshots(), some, occupancy);
        proveThere(before.versions());
        kept = new Kept(before.when(), still(before.versions(), begun), now, before.volumes(), before.snapshots());
        return kept;
    }

    private static void refresh(
            RecordedFolders folders, Map<String, Look> looks, Optional<Set<String>> some, Occupancy occupancy)
            throws IOException {
        for (String id : some.isPresent() ? some.get() : looks.keySet()) {
            Look before = looks.get(id);
            if (before != null) {
                looks.put(id, new Look(before.recorded(), occupancy.of(folders.place(id))));
            }
        }
    }

    private Sums sums(Kept all) {
        Map<String, Share> sums =
                new HashMap<>(2 * (all.volumes().size() + all.snapshots().size()));
        Map<Path, String> without = new LinkedHashMap<>();
        all.volumes().forEach((id, look) -> {
            sums.put(id, look.ofVolume());
            if (look.lacks()) {
                without.put(layout.volumes().place(id), id);
            }
        });
        all.snapshots().forEach((id, look) -> sums.put(Promises.ofSnapshot(id), look.ofSnapshot()));
        long promised = sums.values().stream().mapToLong(Share::promised).sum();
        long used = sums.values().stream().mapToLong(Share::used).sum();
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
}
