package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.domain.affinity.NodeAffinity;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks sources round by round, all at once: for what hints name, for volumes that are new or were changed, and for
 * those whose change waits. A source that takes long is heard in a later round; of a few volumes it tells meanwhile.
 *
 * <p>However much is hinted at, a storage is asked for little: for a few volumes at a time, and for all of them at once
 * if there are more. After such a look it rests for as long as that took, unless the next is due by the interval.
 */
public final class SourceRounds {
    /** The patience with all sources while rounds follow each other. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** The patience with a look in a round that follows a hint: what the hint is about has mostly answered by then. */
    private static final Duration BRIEF = Duration.ofMillis(300);

    /** The patience in the only round of a process; sources have deadlines of their own. */
    private static final Duration PATIENCE_OF_ONE = Duration.ofMinutes(2);

    /** The number of patiences after which a source that does not answer is called silent: a minute. */
    private static final int SILENCE = 20;

    /** The number of hinted volumes above which a look at all asks for less than several questions would. */
    private static final int MANY = 4 * PlacementSource.FEW;

    private final Map<PlacementSource, SourceReaders> sources = new LinkedHashMap<>();
    private final SourceHints hints;
    private final Duration patience;
    private Map<String, Former> former = Map.of();

    /**
     * Holds what a volume was like in the last round.
     *
     * @param changes whether the last plan had a change of it, made or waiting
     */
    private record Former(PlacedVolume placed, NodeAffinity affinity, boolean changes) {
        boolean isOf(KnownVolume volume) {
            return placed.equals(volume.placed()) && affinity.equals(volume.affinity());
        }
    }

    /**
     * @param hints says what is read in a round besides
     * @param threads makes the thread of each question
     */
    public SourceRounds(List<PlacementSource> sources, SourceHints hints, ThreadFactory threads) {
        this(sources, hints, threads, PATIENCE);
    }

    SourceRounds(List<PlacementSource> sources, SourceHints hints, ThreadFactory threads, Duration patience) {
        sources.forEach(
                source -> this.sources.put(source, new SourceReaders(source, hints.interval(), hints::goOn, threads)));
        this.hints = hints;
        this.patience = patience;
    }

    /** Makes rounds that ask for everything and wait for all. */
    public static SourceRounds ofAll(List<PlacementSource> sources, ThreadFactory threads) {
        return new SourceRounds(sources, new SourceHints(Duration.ZERO, () -> {}), threads, PATIENCE_OF_ONE);
    }

    /**
     * Returns what each source says in this round; those volumes are left out of which it was not asked, or says
     * nothing yet.
     */
    Map<PlacementSource, Map<String, TimedReading>> read(
            Map<PlacementSource, List<KnownVolume>> bySource, Duration now) {
        SourceHints.Query due = hints.take(now);
        Map<PlacementSource, Map<String, TimedReading>> read = new HashMap<>();
        sources.forEach((source, readers) -> {
            List<KnownVolume> volumes = bySource.getOrDefault(source, List.of());
            Map<String, TimedReading> heard = readers.heard(volumes, now);
            read.put(source, heard);
            ask(source, volumes, heard.keySet(), due, now);
        });
        long end = System.nanoTime() + patience.toNanos();
        // What a hint names is acted on at once; a look that has begun beside it is heard later.
        boolean hasFew = sources.values().stream().anyMatch(SourceReaders::hasAskedForFew);
        Duration most = due.isHinted() && BRIEF.compareTo(patience) < 0 ? BRIEF : patience;
        sources.forEach((source, readers) -> {
            Duration left = Duration.ofNanos(end - System.nanoTime());
            Duration forLook = left.compareTo(most) < 0 ? left : most;
            read.computeIfAbsent(source, _ -> new HashMap<>())
                    .putAll(readers.answers(
                            bySource.getOrDefault(source, List.of()),
                            now,
                            left,
                            hasFew ? Duration.ZERO : forLook,
                            hints.arrival()));
        });
        return read;
    }

    private void ask(
            PlacementSource source, List<KnownVolume> volumes, Set<String> heard, SourceHints.Query due, Duration now) {
        SourceReaders readers = Objects.requireNonNull(sources.get(source));
        List<KnownVolume> hinted = volumes.stream()
                .filter(volume -> due.handles().contains(volume.placed().handle()))
                .toList();
        // Of whom something has just been heard is not asked at once again, or a slow source would never rest.
        List<KnownVolume> changed = volumes.stream()
                .filter(volume -> !heard.contains(volume.placed().name())
                        && !due.handles().contains(volume.placed().handle())
                        && isDue(volume)
                        && !readers.isLookingAt(volume))
                .toList();
        boolean isMuch = hinted.size() > MANY;
        boolean looks = false;
        if (due.isAllOf(source) || isMuch || changed.size() > PlacementSource.FEW) {
            looks = readers.look(volumes, due.all(), now);
            if (!looks && (due.isAllOf(source) || isMuch)) hints.again(source);
        }
        // A look at a few is no slower than a question beside it.
        if (looks && volumes.size() <= PlacementSource.FEW) return;
        List<KnownVolume> few = Stream.concat(
                        hinted.stream(), looks || changed.size() > PlacementSource.FEW ? Stream.of() : changed.stream())
                .limit(PlacementSource.FEW)
                .toList();
        boolean asks = !few.isEmpty() && readers.ask(few, now);
        List<String> left = hinted.stream()
                .skip(asks ? few.size() : 0)
                .map(volume -> volume.placed().handle())
                .toList();
        // The rest of many is told by a look.
        if (isMuch || left.isEmpty()) return;
        hints.again(left);
        if (asks) hints.goOn();
    }

    private boolean isDue(KnownVolume volume) {
        Former before = former.get(volume.uid());
        return before == null || before.changes() || !before.isOf(volume);
    }

    /** Returns when there is something to ask for again; empty if nothing was asked for so far. */
    Optional<Duration> next() {
        Stream<Duration> poll =
                hints.next().stream().filter(_ -> hints.interval().isPositive());
        return Stream.concat(poll, sources.values().stream().flatMap(it -> it.next().stream()))
                .min(Comparator.naturalOrder());
    }

    /** Says whether a source has not answered for so long that what it said before tells nothing any more. */
    boolean isSilent(PlacementSource source) {
        SourceReaders readers = sources.get(source);
        return readers != null && readers.isSilent(patience.multipliedBy(SILENCE));
    }

    /**
     * Notes what the volumes were like and of which a change was planned. One that is not read in this round keeps its
     * change, since it may still be due.
     */
    void planned(Collection<List<KnownVolume>> volumes, Set<String> read, List<Entry> entries) {
        Set<String> changing =
                entries.stream().map(entry -> entry.change().volume()).collect(Collectors.toSet());
        Map<String, Former> now = new HashMap<>();
        volumes.forEach(some -> some.forEach(volume -> {
            Former before = former.get(volume.uid());
            String name = volume.placed().name();
            if (read.contains(name)) {
                now.put(volume.uid(), new Former(volume.placed(), volume.affinity(), changing.contains(name)));
            } else if (before != null) {
                now.put(volume.uid(), before);
            }
        }));
        former = now;
    }
}
