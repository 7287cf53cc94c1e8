package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.store.copy.CopyJobs;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Deletes what is nobody's: volumes that were put aside, once nothing depends on them any more, and what was made under
 * a name of its own by a creation that nobody repeated. They are found with the deletion of the last clone, and now and
 * then by a look below a parent, since a call may have been cut before it came to them.
 */
final class TrashRemoval {
    private static final Duration BETWEEN_LOOKS = Duration.ofHours(1);

    /** The age from which no call can still be at work on what it began. */
    private static final Duration OLD = Duration.ofDays(1);

    private static final int MOST_AT_ONCE = 20;

    private final TreeReader trees;
    private final TreeRemoval removal;
    private final InstantSource clock;
    private final ConcurrentMap<DatasetName, Instant> looked = new ConcurrentHashMap<>();

    TrashRemoval(TreeReader trees, TreeRemoval removal, InstantSource clock) {
        this.trees = trees;
        this.removal = removal;
        this.clock = clock;
    }

    /** Looks below a parent for what is left there, unless that was done lately; what cannot be deleted now stays. */
    void look(DatasetName parent, Work work) {
        Instant now = clock.instant();
        boolean isDue = looked.merge(
                        parent, now, (last, it) -> last.plus(BETWEEN_LOOKS).isAfter(it) ? last : it)
                .equals(now);
        if (!isDue) {
            return;
        }
        List<DatasetEntry> all = new ArrayList<>();
        quietly(() -> all.addAll(removal.datasets().trash(parent, work)), work);
        Collections.shuffle(all); // so that those which have to stay keep no others from their turn
        all.stream().limit(MOST_AT_ONCE).forEach(entry -> quietly(() -> deleteIfPossible(entry, now, work), work));
    }

    /** Runs an action on which the caller's own call does not depend. */
    private static void quietly(Runnable action, Work work) {
        try {
            action.run();
        } catch (StorageException _) {
            work.checkEnding();
        }
    }

    private void deleteIfPossible(DatasetEntry entry, Instant now, Work work) {
        if (DatasetLayout.isHidden(entry.name())) {
            clear(entry.name(), work);
        } else if (DatasetLayout.isStaged(entry.name()) && isOlder(entry, now, OLD)) {
            trees.find(entry.name(), work).ifPresent(seen -> discard(seen, work));
        }
    }

    /**
     * Says whether what a call began is so old that no call on it can come late. One that is still at work finds what
     * it made gone, and is repeated.
     */
    boolean isLeft(DatasetEntry entry) {
        return isOlder(entry, clock.instant(), LateCalls.LONGEST);
    }

    private static boolean isOlder(DatasetEntry entry, Instant now, Duration age) {
        return entry.text("creation")
                .filter(text -> text.matches("[0-9]{1,12}"))
                .map(text -> Instant.ofEpochSecond(Long.parseLong(text)))
                .filter(born -> born.plus(age).isBefore(now))
                .isPresent();
    }

    /**
     * Deletes what was not finished and nobody was ever given. What cannot be deleted, since somebody made a clone of
     * it, is put aside, so that it does not bar the name for ever.
     */
    void discard(SeenTree seen, Work work) {
        new CopyJobs(removal.api()).requireNone(seen.entry().name(), work);
        removal.note(seen, Optional.empty(), work).ifPresent(noted -> {
            if (seen.tree().hasClones() || !seen.entry().children().isEmpty()) {
                removal.putAside(seen, noted, work);
            } else {
                removal.notes().before(noted, () -> removal.purge(seen.tree(), work), work);
                removal.delete(new NativeId("unfinished"), seen, noted, work);
            }
        });
    }

    /** Deletes a volume that was put aside if nothing depends on it any more, and then the one it was a clone of. */
    void clear(DatasetName hidden, Work work) {
        Optional<SeenTree> left = trees.find(hidden, work)
                .filter(seen -> DatasetLayout.isHidden(hidden) // by its name, as a cut may have kept the mark from it
                        && seen.tree()
                                .obstacles(
                                        OnDependents.REFUSE, removal.settings().foreign())
                                .isEmpty());
        left.ifPresent(seen -> {
            removal.purge(seen.tree(), work);
            removal.note(seen, Optional.empty(), work)
                    .ifPresent(noted -> removal.delete(new NativeId("hidden"), seen, noted, work));
        });
        left.flatMap(seen -> seen.entry().origin())
                .map(SnapshotName::dataset)
                .filter(DatasetLayout::isHidden)
                .ifPresent(next -> clear(next, work));
    }
}
