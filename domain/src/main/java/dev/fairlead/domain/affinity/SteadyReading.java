package dev.fairlead.domain.affinity;

import java.time.Duration;

/**
 * A reading and how long the source has been giving it.
 *
 * @param since the time of the first of the equal readings, on a clock that never goes back
 * @param readings the number of equal readings in a row
 */
public record SteadyReading(PlacementReading reading, Duration since, int readings) {
    public static SteadyReading first(PlacementReading reading, Duration now) {
        return new SteadyReading(reading, now, 1);
    }

    /** Returns what follows when the source is asked again; any other reading begins anew. */
    public SteadyReading then(PlacementReading next, Duration now) {
        boolean equal =
                next.placement().equals(reading.placement()) && next.revision().equals(reading.revision());
        return equal ? new SteadyReading(next, since, readings + 1) : first(next, now);
    }

    /** Says whether at least two readings in a row were equal over this time. */
    public boolean isSettled(Duration settle, Duration now) {
        return readings >= 2 && now.minus(since).compareTo(settle) >= 0;
    }
}
