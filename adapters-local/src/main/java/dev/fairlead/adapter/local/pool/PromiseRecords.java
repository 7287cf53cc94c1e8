package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.tree.KeptNames;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.adapter.local.pool.kind.Occupancy.InUse;
import dev.fairlead.adapter.local.pool.kind.Occupancy.SpaceUse;
import dev.fairlead.adapter.local.pool.room.FolderVersions;
import dev.fairlead.adapter.local.pool.room.KnownSizes;
import dev.fairlead.adapter.local.pool.room.LostLimits;
import dev.fairlead.adapter.local.pool.room.NameChanges;
import dev.fairlead.adapter.local.pool.room.RecordedSizes;
import dev.fairlead.adapter.local.pool.room.SizeLook;
import dev.fairlead.adapter.local.pool.room.Sums;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    private Kept kept = Kept.nothing();

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
     * @param steady whether they were the same after it
     * @param settled whether each later change gives one of them another version
     * @param use which may have been written to since; empty if any may
     * @param occupancy what they were looked at with
     */
    private record Kept(
            Instant when,
            Optional<FolderVersions> folders,
            boolean steady,
            boolean settled,
            Optional<InUse> use,
            KnownSizes sizes,
            Occupancy occupancy) {
        static Kept nothing() {
            return new Kept(
                    Instant.MIN, Optional.empty(), false, false, Optional.empty(), new KnownSizes(), Occupancy.UNKNOWN);
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
        Kept last = anew.getAndSet(false) ? Kept.nothing() : kept;
        kept = Kept.nothing(); // what is known changes from now on, so it is of no use if this fails
        Instant begun = clock.instant();
        Optional<FolderVersions> folders = FolderVersions.of(layout);
        boolean settled = folders.filter(it -> it.areSettled(begun)).isPresent();
        boolean unchanged = settled && last.steady() && last.settled() && folders.equals(last.folders());
        boolean young = KeptNames.isYoung(last.when(), begun);
        boolean partly = young && (unchanged || isChangedByUs(last, folders, touched, begun));
        Kept before = partly ? last : Kept.nothing();
        if (!partly) {
            sizes.beginAll();
        }
        try (Occupancy occupancy = occupancies.get()) {
            occupancy.follow(before.occupancy());
            occupancy.check(place);
            Reading reading = new Reading(occupancy, before, touched);
            Optional<NameChanges> changes = changes(before, folders, touched);
            boolean there = changes.isPresent() ? reading.known(changes.get()) : reading.named();
            proveThere(folders);
            boolean steady = there && folders.equals(FolderVersions.of(layout));
            Instant when = partly ? last.when() : begun;
            kept = new Kept(when, folders, steady, settled, reading.use, before.sizes(), occupancy);
            sizes.endAll();
            return sums(before.sizes());
        }
    }

    /**
     * Returns whether what changed since a reading may be what this process did, so that all else is as it was. What
     * another process replaced in the same moment is seen a minute later at most; one that shares the pool is expected,
     * and so is one more call of a connection whose file has just changed.
     */
    private boolean isChangedByUs(Kept last, Optional<FolderVersions> now, Set<String> touched, Instant begun) {
        return alone
                && !touched.isEmpty()
                && !KeptNames.isYoung(opened, begun)
                && last.folders()
                        .flatMap(then -> now.filter(it -> it.follow(then)))
                        .isPresent();
    }

    /**
     * Returns what this process has added and removed since a reading; empty if somebody else has as well, or if the
     * folders changed during that reading, so that its names and their counts may be of different moments.
     */
    private Optional<NameChanges> changes(Kept before, Optional<FolderVersions> now, Set<String> touched)
            throws IOException {
        if (!before.steady()) {
            return Optional.empty();
        }
        NameChanges changes = NameChanges.of(layout, touched, before.sizes().keys());
        return before.folders()
                .flatMap(then -> now.filter(it -> changes.areAll(then, it)))
                .map(_ -> changes);
    }

    /** Throws if the folders are others after a reading: what was not found may be on a disk that went away. */
    private static void proveThere(Optional<FolderVersions> before) throws IOException {
        Optional<Path> gone = before.flatMap(FolderVersions::gone);
        if (gone.isPresent()) {
            throw new IOException(gone.get() + " was taken away while it was read");
        }
    }

    /**
     * Looks at volumes and snapshots, but for what is known of them from the reading before and cannot have changed.
     */
    private final class Reading {
        private final Occupancy occupancy;
        private final Kept before;
        private final KnownSizes found;
        private final Set<String> touched;

        /** Tells which may be written to from now on; empty if any may. */
        private Optional<InUse> use = Optional.empty();

        /** The keys of what may have been written to since the reading before; empty if any may. */
        private Optional<Set<String>> written = Optional.empty();

        Reading(Occupancy occupancy, Kept before, Set<String> touched) {
            this.occupancy = occupancy;
            this.before = before;
            this.found = before.sizes();
            this.touched = touched;
        }

        private void begin(int number) {
            use = number < MANY ? Optional.empty() : occupancy.inUse();
            written = before.use()
                    .flatMap(then -> use.filter(it -> it.since().equals(then.since()))
                            .map(it -> {
                                Set<String> both = new HashSet<>(then.ids());
                                both.addAll(it.ids());
                                List.copyOf(both).forEach(id -> both.add(Promises.ofSnapshot(id)));
                                return both;
                            }));
        }

        /** Looks at what is known, and at what was added, which is all that there is. */
        boolean known(NameChanges changes) throws IOException {
            begin(found.keys().size());
            changes.removed().forEach(found::remove);
            List<String> keys = new ArrayList<>(due());
            changes.added().forEach(keys::add);
            for (String key : keys) {
                look(key);
            }
            return true;
        }

        /** Returns the keys of what is known and may be another by now. */
        private Collection<String> due() {
            Set<String> all = found.keys();
            if (written.isEmpty()) {
                return all;
            }
            return Stream.of(touched, written.get())
                    .flatMap(Set::stream)
                    .filter(all::contains)
                    .collect(Collectors.toSet());
        }

        /**
         * Reads all names, and looks at those that are new and at what may be another by now.
         *
         * @return whether the folders of names are there
         */
        boolean named() throws IOException {
            Optional<List<String>> volumes = layout.volumes().unsorted();
            Optional<List<String>> snapshots = layout.snapshots().unsorted();
            Set<String> keys = new LinkedHashSet<>(volumes.orElse(List.of()));
            snapshots.orElse(List.of()).forEach(id -> keys.add(Promises.ofSnapshot(id)));
            begin(keys.size());
            for (String key : keys) {
                if (!found.keys().contains(key)
                        || touched.contains(key)
                        || written.filter(it -> !it.contains(key)).isEmpty()) {
                    look(key);
                }
            }
            if (found.keys().size() != keys.size()) {
                found.keepOnly(keys);
            }
            return volumes.isPresent() && snapshots.isPresent();
        }

        private void look(String key) throws IOException {
            Optional<String> snapshot = Promises.snapshotOf(key);
            RecordedFolders folders = snapshot.isPresent() ? layout.snapshots() : layout.volumes();
            String id = snapshot.orElse(key);
            Path folder = folders.place(id);
            Optional<SizeLook> then = touched.contains(key) ? Optional.empty() : found.of(key);
            if (then.isEmpty()) {
                found.put(key, new SizeLook(sizes.of(folders, id), occupancy.of(folder)));
                return;
            }
            Optional<SpaceUse> use = then.get().found();
            Optional<SpaceUse> now = use.isPresent() ? occupancy.again(folder, use.get()) : occupancy.of(folder);
            if (!now.equals(use)) {
                found.put(key, new SizeLook(then.get().recorded(), now));
            }
        }
    }

    private Sums sums(KnownSizes found) {
        Map<Path, String> without = new LinkedHashMap<>();
        found.lacking().forEach(id -> without.put(layout.volumes().place(id), id));
        limits.lacking(without);
        return found.sums();
    }

    /** Gives volumes that lack their limits, by the last reading, those again, as {@link LostLimits} does. */
    void restore(Path pool, DiskQuestion question, Duration left) {
        limits.restore(pool, question, left);
    }
}
