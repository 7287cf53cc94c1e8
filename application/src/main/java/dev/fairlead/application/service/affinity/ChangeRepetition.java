package dev.fairlead.application.service.affinity;

import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Notices that the same change of a volume is made again and again, since somebody undoes it each time: a webhook, or a
 * second process with other options. Each time costs the volume a replacement. Not for use by several threads.
 */
final class ChangeRepetition {
    private static final int MOST = 3;
    private static final Duration SPAN = Duration.ofHours(1);

    private final Map<String, Made> made = new HashMap<>();

    /** Holds how often a volume has got the same affinity, one time after the other. */
    private record Made(NodeAffinity to, int times, Duration first) {
        private boolean isOld(Duration now) {
            return now.minus(first).compareTo(SPAN) >= 0;
        }
    }

    /** Says whether a change was made so often that it is left to a person. */
    boolean isTooOften(AffinityChange change, Duration now) {
        Made before = made.get(change.volume());
        return before != null && !before.isOld(now) && before.to().equals(change.to()) && before.times() >= MOST;
    }

    /** Takes note that a change was made. */
    void note(AffinityChange change, Duration now) {
        made.values().removeIf(one -> one.isOld(now));
        Made before = made.get(change.volume());
        made.put(
                change.volume(),
                before != null && before.to().equals(change.to())
                        ? new Made(before.to(), before.times() + 1, before.first())
                        : new Made(change.to(), 1, now));
    }
}
