package dev.fairlead.domain.volume;

/** What a new volume holds (CSI {@code VolumeContentSource}), by the ids of the same connection unless it says so. */
public sealed interface Content {
    Content EMPTY = new Empty();

    record Empty() implements Content {}

    record OfSnapshot(NativeId snapshot) implements Content {}

    record OfVolume(NativeId volume) implements Content {}

    /**
     * Of another connection, from where it is carried over.
     *
     * @param handle as CSI knows it, since its id means something else here
     */
    record Transferred(Kind kind, String handle) implements Content {}

    /** What content that comes from another connection is there. */
    enum Kind {
        SNAPSHOT,
        VOLUME
    }
}
