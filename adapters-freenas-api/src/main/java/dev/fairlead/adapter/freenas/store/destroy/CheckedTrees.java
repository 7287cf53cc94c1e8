package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.zfs.dataset.DatasetName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Keeps, for some seconds, what a deletion was checked by, so that the deletion takes the dataset that was checked, and
 * none that came under its name since.
 */
public final class CheckedTrees {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final ConcurrentMap<DatasetName, Seen> trees = new ConcurrentHashMap<>();

    private record Seen(SeenTree tree, Instant since) {}

    public CheckedTrees(InstantSource clock) {
        this.clock = clock;
    }

    void remember(DatasetName name, SeenTree tree) {
        trees.values().removeIf(this::isOld);
        trees.put(name, new Seen(tree, clock.instant()));
    }

    /** Returns what was seen lately, once. */
    Optional<SeenTree> take(DatasetName name) {
        return Optional.ofNullable(trees.remove(name))
                .filter(seen -> !isOld(seen))
                .map(Seen::tree);
    }

    private boolean isOld(Seen seen) {
        return seen.since().plus(LONGEST).isBefore(clock.instant());
    }
}
