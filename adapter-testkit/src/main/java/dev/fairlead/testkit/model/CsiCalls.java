package dev.fairlead.testkit.model;

import java.util.Optional;

/** Shows a controller as its callers see it: each call answers a code, and never throws for a failure that has one. */
public interface CsiCalls {
    Answer<Facts.Volume> createVolume(String name, long required, long limit, Facts.Source source);

    Answer<String> deleteVolume(String id);

    /** Returns whether the controller expands volumes; if not, nodes do. */
    default boolean offersExpansion() {
        return true;
    }

    /** Expands a volume and returns its size afterwards, in bytes. */
    Answer<Long> expandVolume(String id, long required, long limit);

    Answer<Facts.Volume> getVolume(String id);

    Answer<Facts.Part<Facts.Volume>> listVolumes(Optional<String> token, int max);

    Answer<Facts.Snapshot> createSnapshot(String name, String source);

    Answer<String> deleteSnapshot(String id);

    Answer<Facts.Snapshot> getSnapshot(String id);

    Answer<Facts.Part<Facts.Snapshot>> listSnapshots(Optional<String> source, Optional<String> token, int max);

    /** Writes into a volume without the controller; does nothing if the test cannot. */
    default void write(String volume, String content) {}

    /** Returns what was last written, or what the volume was made with; empty if the test cannot look. */
    default Optional<String> read(String volume) {
        return Optional.empty();
    }
}
