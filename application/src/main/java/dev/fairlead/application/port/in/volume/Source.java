package dev.fairlead.application.port.in.volume;

/** Names the content that a new volume is to have, by the handle that the caller sent ({@code VolumeContentSource}). */
public sealed interface Source {
    Source NONE = new None();

    record None() implements Source {}

    record Snapshot(String handle) implements Source {}

    record Volume(String handle) implements Source {}
}
