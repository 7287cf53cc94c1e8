package dev.fairlead.domain.volume;

/**
 * Says what a new volume holds (CSI {@code VolumeContentSource}), by ids of the same connection unless it says
 * otherwise.
 */
public sealed interface Content {
    Content EMPTY = new Empty();

    record Empty() implements Content {}

    record OfSnapshot(NativeId snapshot) implements Content {}

    record OfVolume(NativeId volume) implements Content {}

    /**
     * The content comes from another connection, from which it is copied.
     *
     * @param handle the handle as CSI knows it, since its native id means something else on this connection
     */
    record Transferred(Kind kind, String handle) implements Content {}

    /** Says what the content is on the connection that it comes from. */
    enum Kind {
        SNAPSHOT,
        VOLUME
    }
}
