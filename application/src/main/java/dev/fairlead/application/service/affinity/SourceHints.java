package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Collects what sources hint at, and says what is read in the next round: everything once in an interval or if anything
 * may have moved, else only what a hint names.
 */
public final class SourceHints implements PlacementHints {
    /** The number of hints above which everything is read: one reading of all is cheaper then. */
    private static final int MOST = 1000;

    private final Duration interval;
    private final Runnable wake;
    private final Set<String> moved = new HashSet<>();
    private final Set<PlacementSource> anyOf = new HashSet<>();
    private boolean any = true;
    private Optional<Duration> lastOfAll = Optional.empty();
    private CompletableFuture<Void> arrival = new CompletableFuture<>();

    /**
     * @param interval the time between the beginnings of two readings of everything
     * @param wake makes the next round come soon; called by threads of the sources
     */
    public SourceHints(Duration interval, Runnable wake) {
        this.interval = interval;
        this.wake = wake;
    }

    /**
     * Says which volumes are read.
     *
     * @param all whether all are, since the interval is over
     * @param sources those of which all are
     * @param handles the handles of those that may have moved
     */
    record Query(boolean all, Set<PlacementSource> sources, Set<String> handles) {
        boolean isAllOf(PlacementSource source) {
            return all || sources.contains(source);
        }

        boolean isHinted() {
            return !sources.isEmpty() || !handles.isEmpty();
        }
    }

    /** Returns the time between the beginnings of two readings of everything. */
    Duration interval() {
        return interval;
    }

    /** Returns what takes the hints of one source: what is written often at one storage is no reason to read others. */
    public PlacementHints of(PlacementSource source) {
        return new PlacementHints() {
            @Override
            public void moved(String handle) {
                hinted(() -> {
                    if (moved.size() < MOST) moved.add(handle);
                    else if (!moved.contains(handle)) anyOf.add(source);
                });
            }

            @Override
            public void anyMoved() {
                hinted(() -> anyOf.add(source));
            }
        };
    }

    @Override
    public void moved(String handle) {
        hinted(() -> {
            moved.add(handle);
            any = any || moved.size() > MOST;
        });
    }

    @Override
    public void anyMoved() {
        hinted(() -> any = true);
    }

    private void hinted(Runnable note) {
        CompletableFuture<Void> arrived;
        synchronized (this) {
            note.run();
            arrived = arrival;
        }
        arrived.complete(null);
        wake.run();
    }

    /** Makes the next round come soon, since it has something to take up. */
    void goOn() {
        wake.run();
    }

    /** Lets a later round read all of this source. */
    synchronized void again(PlacementSource source) {
        anyOf.add(source);
    }

    /** Lets a later round read what has these handles. */
    synchronized void again(Collection<String> handles) {
        moved.addAll(handles);
    }

    /** Returns what this round reads, and begins to collect anew. */
    synchronized Query take(Duration now) {
        boolean late = next().filter(next -> now.compareTo(next) < 0).isEmpty();
        Query due = new Query(any || late, Set.copyOf(anyOf), Set.copyOf(moved));
        if (due.all()) lastOfAll = Optional.of(now);
        moved.clear();
        anyOf.clear();
        any = false;
        if (arrival.isDone()) arrival = new CompletableFuture<>();
        return due;
    }

    /** Returns what ends once there is a hint that no round has taken yet. */
    synchronized CompletableFuture<Void> arrival() {
        return arrival;
    }

    /** Returns when everything is read again; empty if it never was. */
    synchronized Optional<Duration> next() {
        return lastOfAll.map(last -> last.plus(interval));
    }
}
