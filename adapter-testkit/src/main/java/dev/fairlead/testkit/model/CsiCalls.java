package dev.fairlead.testkit.model;

import java.util.Optional;

/** A controller as its callers see it: each call answers a code, and never throws for a failure that has one. */
public interface CsiCalls {
    Answer<Facts.Volume> createVolume(String name, long required, long limit, Facts.Source source);

    Answer<String> deleteVolume(String id);

    /** Whether the controller expands volumes; where not, nodes do. */
    default boolean offersExpansion() {
        return true;
    }

    /** Answers the size that is in force. */
    Answer<Long> expandVolume(String id, long required, long limit);

    Answer<Facts.Volume> getVolume(String id);

    Answer<Facts.Part<Facts.Volume>> listVolumes(Optional<String> token, int max);

    Answer<Facts.Snapshot> createSnapshot(String name, String source);

    Answer<String> deleteSnapshot(String id);

    Answer<Facts.Snapshot> getSnapshot(String id);

    Answer<Facts.Part<Facts.Snapshot>> listSnapshots(Optional<String> source, Optional<String> token, int max);

    /** Writes into a volume past the controller, where the test can. */
    default void write(String volume, String content) {}

    /** What was last written, or what the volume was made with; empty where the test cannot look. */
    default Optional<String> read(String volume) {
        return Optional.empty();
    }
}
