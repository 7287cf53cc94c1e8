package dev.fairlead.application.port.in;

/** Content that a new volume is to have, by handle as it came over CSI ({@code VolumeContentSource}). */
public sealed interface Source {
    Source NONE = new None();

    record None() implements Source {}

    record Snapshot(String handle) implements Source {}

    record Volume(String handle) implements Source {}
}
