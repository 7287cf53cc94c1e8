package dev.fairlead.application.port.in.snapshot;

import dev.fairlead.domain.capacity.Capacity;
import java.time.Instant;
import java.util.Optional;

/**
 * Describes a snapshot as callers see it; the snapshot is always ready to use.
 *
 * @param group the handle of the group that it was taken with, if any
 */
public record SnapshotView(
        String handle, String sourceVolume, Capacity size, Instant created, Optional<String> group) {}
