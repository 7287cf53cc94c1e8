package dev.fairlead.application.port.out.placement;

import java.time.Duration;

/** Hears what a replacement does to others: volumes that are away, and claims that are Lost. It never throws. */
public interface ReplacementListener {
    ReplacementListener NONE = new ReplacementListener() {
        @Override
        public void away(String volume, Duration time) {}

        @Override
        public void claimLost(String volume) {}
    };

    /** Tells how long a PersistentVolume was away, as far as this process saw it. */
    void away(String volume, Duration time);

    /** Tells that the claim of a PersistentVolume was shown as Lost; once for each replacement. */
    void claimLost(String volume);
}
