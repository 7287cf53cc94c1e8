package dev.fairlead.domain.volume;

/** What a new volume holds (CSI {@code VolumeContentSource}), by the ids of the same connection. */
public sealed interface Content {
    Content EMPTY = new Empty();

    record Empty() implements Content {}

    record OfSnapshot(NativeId snapshot) implements Content {}

    record OfVolume(NativeId volume) implements Content {}
}
