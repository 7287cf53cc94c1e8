package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.tree.KeptNames;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.adapter.local.pool.kind.Occupancy.InUse;
import dev.fairlead.adapter.local.pool.room.FolderVersions;
import dev.fairlead.adapter.local.pool.room.LostLimits;
import dev.fairlead.adapter.local.pool.room.RecordedSizes;
import dev.fairlead.adapter.local.pool.room.Sums;
import dev.fairlead.adapter.local.pool.room.Sums.Share;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Adds up what a pool has promised, by the records of its volumes and snapshots; parses those only that changed, and
 * for a minute at most looks at none while nobody has changed the folders that they are in, and at those only that this
 * process has made, grown or deleted if it has changed them.
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
    /** The number of volumes and snapshots from which on it takes less to ask which are in use than to look at all. */
    private static final int MANY = 500;

    private final BaseFolderLayout layout;
    private final Supplier<Occupancy> occupancies;
    private final InstantSource clock;
    private final boolean alone;
    private final Instant opened;
    private final RecordedSizes sizes;
    private final LostLimits limits;
    private final AtomicBoolean anew = new AtomicBoolean();
    private Kept kept = Kept.NOTHING;

    /** The ids of what this process may have made, grown or deleted since the reading that is kept began. */
    private final Set<String> changed = new HashSet<>();

    /**
     * @param clock that of the machine, by which file systems note times
     * @param alone whether no other process is expected to make anything in the pool
     */
    PromiseRecords(BaseFolderLayout layout, Supplier<Occupancy> occupancies, InstantSource clock, boolean alone) {
        this.alone = alone;
        this.opened = clock.instant();
        this.clock = clock;
        this.layout = layout;
        this.occupancies = occupancies;
        this.sizes = new RecordedSizes(layout);
        this.limits = new LostLimits(layout.volumes(), occupancies);
    }

    /**
     * Holds what a reading has found.
     *
     * @param when the time since which records were not all looked at
     * @param folders the folders as they were before it
     * @param settled whether they were the same after it, and each later change gives one of them another version
     * @param use which may have been written to since; empty if any may
     */
    private record Kept(
            Instant when,
            Optional<FolderVersions> folders,
            boolean settled,
            Optional<InUse> use,
            Map<String, Look> volumes,
            Map<String, Look> snapshots) {
        static final Kept NOTHING =
                new Kept(Instant.MIN, Optional.empty(), false, Optional.empty(), Map.of(), Map.of());

        List<String> volumeIds() {
            return List.copyOf(volumes.keySet());
        }

        List<String> snapshotIds() {
            return List.copyOf(snapshots.keySet());
        }
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

    /** Lets the next reading look at everything, since a call ended in the middle of something. */
    void lookAnew() {
        anew.set(true);
    }

    /**
     * @param place the pool's folder, or the one in which it will be made
     * @param touched the ids of what this process may have made, grown or deleted since the reading before began
     */
    Sums read(Path place, Set<String> touched) throws IOException {
        changed.addAll(touched);
        if (anew.getAndSet(false)) {
            kept = Kept.NOTHING;
        }
        Instant begun = clock.instant();
        Kept before = KeptNames.isYoung(kept.when(), begun) ? kept : Kept.NOTHING;
        try (Occupancy occupancy = occupancies.get()) {
            occupancy.check(place);
            Optional<FolderVersions> folders = FolderVersions.of(layout);
            boolean settled = folders.filter(it -> it.areSettled(begun)).isPresent();
            boolean same = settled && before.settled() && folders.equals(before.folders());
            Optional<List<String>> volumes =
                    same ? Optional.of(before.volumeIds()) : layout.volumes().unsorted();
            Optional<List<String>> snapshots = same
                    ? Optional.of(before.snapshotIds())
                    : layout.snapshots().unsorted();
            boolean there = volumes.isPresent() && snapshots.isPresent();
            int number = volumes.map(List::size).orElse(0)
                    + snapshots.map(List::size).orElse(0);
            Optional<InUse> use = number < MANY ? Optional.empty() : occupancy.inUse();
            boolean some = same || isChangedByUs(before, folders, begun);
            if (!some) {
                sizes.beginAll();
            }
            Reading reading = new Reading(occupancy, some ? before : Kept.NOTHING, use);
            Map<String, Look> ofVolumes = reading.volumes(volumes.orElse(List.of()));
            Map<String, Look> ofSnapshots = reading.snapshots(snapshots.orElse(List.of()));
            proveThere(folders);
            boolean still = there && settled && folders.equals(FolderVersions.of(layout));
            kept = new Kept(some ? before.when() : begun, folders, still, use, ofVolumes, ofSnapshots);
            changed.clear();
            sizes.endAll();
            return sums(kept);
        }
    }

    /**
     * Returns whether what changed since a reading may be what this process did, so that all else is as it was. What
     * another process replaced in the same moment is seen a minute later at most; one that shares the pool is expected,
     * and so is one more call of a connection whose file has just changed.
     */
    private boolean isChangedByUs(Kept before, Optional<FolderVersions> now, Instant begun) {
        return alone
                && !changed.isEmpty()
                && !KeptNames.isYoung(opened, begun)
                && before.folders()
                        .flatMap(then -> now.filter(it -> it.follow(then)))
                        .isPresent();
    }

    /** Throws if the folders are others after a reading: what was not found may be on a disk that went away. */
    private void proveThere(Optional<FolderVersions> before) throws IOException {
        Optional<Path> gone = before.flatMap(FolderVersions::gone);
        if (gone.isPresent()) {
            kept = Kept.NOTHING;
            throw new IOException(gone.get() + " was taken away while it was read");
        }
    }

    /**
     * Looks at volumes and snapshots, but for what is known of them from the reading before and cannot have changed.
     */
    private final class Reading {
        private final Occupancy occupancy;
        private final Kept before;

        /** Those that may have been written to since the reading before; empty if any may. */
        private final Optional<Set<String>> written;

        Reading(Occupancy occupancy, Kept before, Optional<InUse> now) {
            this.occupancy = occupancy;
            this.before = before;
            this.written = before.use()
                    .flatMap(then -> now.filter(it -> it.since().equals(then.since()))
                            .map(it -> {
                                Set<String> both = new HashSet<>(then.ids());
                                both.addAll(it.ids());
                                return both;
                            }));
        }

        Map<String, Look> volumes(List<String> ids) throws IOException {
            return all(layout.volumes(), ids, before.volumes(), UnaryOperator.identity());
        }

        Map<String, Look> snapshots(List<String> ids) throws IOException {
            return all(layout.snapshots(), ids, before.snapshots(), Promises::ofSnapshot);
        }

        private Map<String, Look> all(
                RecordedFolders folders, List<String> ids, Map<String, Look> former, UnaryOperator<String> promised)
                throws IOException {
            Map<String, Look> found = new LinkedHashMap<>();
            for (String id : ids) {
                Look then = changed.contains(promised.apply(id)) ? null : former.get(id);
                if (then == null) {
                    found.put(id, new Look(sizes.of(folders, id), occupancy.of(folders.place(id))));
                } else if (written.isPresent() && !written.get().contains(id)) {
                    found.put(id, then);
                } else {
                    found.put(id, again(then, folders.place(id)));
                }
            }
            return found;
        }

        private Look again(Look then, Path folder) throws IOException {
            Optional<Occupancy.SpaceUse> now = then.found().isPresent()
                    ? occupancy.again(folder, then.found().get())
                    : occupancy.of(folder);
            return new Look(then.recorded(), now);
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
        limits.lacking(without);
        return new Sums(sums, promised, used);
    }

    /** Gives volumes that lack their limits, by the last reading, those again, as {@link LostLimits} does. */
    void restore(Path pool, DiskQuestion question, Duration left) {
        limits.restore(pool, question, left);
    }
}
