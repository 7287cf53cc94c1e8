package dev.fairlead.application.service.affinity;

import dev.fairlead.domain.affinity.PlacementReading;
import java.time.Duration;

/**
 * Holds a reading and when it was asked for: an answer that was long under way tells how things were then, and not how
 * they are now.
 *
 * @param asked the time of the round in which it was asked for
 */
record TimedReading(PlacementReading reading, Duration asked) {}
