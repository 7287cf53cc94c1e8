package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.work.RetryTimes;
import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeGroup;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says in which order changes are tried, and leaves alone for a while what was tried in vain. The groups take turns, so
 * that one with thousands of changes does not keep the others waiting. Not for use by several threads.
 */
final class ChangeAttempts {
    /** The time for which a change is left alone that the server refuses: somebody has to allow it. */
    private static final Duration REFUSED = Duration.ofSeconds(15);

    private static final Duration LONGEST_REFUSED = Duration.ofMinutes(10);

    /** The time for which a change is left alone that was too late, or not finished. */
    private static final Duration MISSED = Duration.ofSeconds(1);

    private static final Duration LONGEST_MISSED = Duration.ofMinutes(1);

    private final RetryTimes<ChangeOutcome> times = new RetryTimes<>();

    /** Returns all entries in the order in which their groups take turns. */
    static List<Entry> inTurns(List<Entry> entries) {
        Map<ChangeGroup, Integer> turns = new HashMap<>();
        return entries.stream()
                .map(entry -> new Turn(entry, turns.merge(entry.group(), 1, Integer::sum)))
                .sorted(Comparator.comparingInt(Turn::turn))
                .map(Turn::entry)
                .toList();
    }

    private record Turn(Entry entry, int turn) {}

    /** Returns the changes that may be made now, in the order in which they are tried. */
    List<Entry> order(List<Entry> entries) {
        List<Entry> now = inTurns(
                entries.stream().filter(entry -> entry.delay().isEmpty()).toList());
        // What nobody has refused yet goes first.
        Map<Boolean, List<Entry>> byFailure =
                now.stream().collect(Collectors.partitioningBy(entry -> times.hasFailed(key(entry.change()))));
        return Stream.of(false, true)
                .flatMap(failed -> byFailure.getOrDefault(failed, List.of()).stream())
                .toList();
    }

    /**
     * Returns what came of a change that is left alone for now, since it was tried in vain; empty if it may be tried.
     */
    Optional<ChangeOutcome> resting(AffinityChange change, Duration now) {
        return times.resting(key(change), now);
    }

    /** Takes note of what came of an attempt. */
    void note(AffinityChange change, ChangeOutcome outcome, Duration now) {
        String key = key(change);
        switch (outcome.result()) {
            case IN_PLACE, REPLACED, RETAINED -> times.forget(key);
            case ABANDONED, UNFINISHED -> times.failed(key, outcome, MISSED, LONGEST_MISSED, now);
            case BLOCKED -> times.failed(key, outcome, REFUSED, LONGEST_REFUSED, now);
        }
        times.forgetBefore(now.minus(LONGEST_REFUSED));
    }

    private static String key(AffinityChange change) {
        return change.uid() + "\n" + change.to();
    }
}
