package dev.fairlead.application.port.in;

import dev.fairlead.domain.capacity.Capacity;
import java.time.Instant;

/** A snapshot as callers see it; always ready to use. */
public record SnapshotView(String handle, String sourceVolume, Capacity size, Instant created) {}
