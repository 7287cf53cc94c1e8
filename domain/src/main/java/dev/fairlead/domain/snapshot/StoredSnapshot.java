package dev.fairlead.domain.snapshot;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.time.Instant;
import java.util.Optional;

/**
 * A whole snapshot; one that is still being made is not found.
 *
 * @param size what a volume made from it needs at least
 * @param group the group that it was taken with and goes with, if any
 */
public record StoredSnapshot(
        NativeId id,
        Optional<CsiName> name,
        NativeId source,
        Capacity size,
        Instant created,
        Optional<NativeId> group) {
    /** A snapshot that was taken for itself. */
    public StoredSnapshot(NativeId id, Optional<CsiName> name, NativeId source, Capacity size, Instant created) {
        this(id, name, source, size, created, Optional.empty());
    }
}
