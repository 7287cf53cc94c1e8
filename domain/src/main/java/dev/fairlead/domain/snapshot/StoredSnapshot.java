package dev.fairlead.domain.snapshot;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.time.Instant;
import java.util.Optional;

/**
 * Describes a finished snapshot; one that is still being made is not found.
 *
 * @param size the least size of a volume made from it
 * @param group the group that it was taken with and is deleted with, if any
 */
public record StoredSnapshot(
        NativeId id,
        Optional<CsiName> name,
        NativeId source,
        Capacity size,
        Instant created,
        Optional<NativeId> group) {
    /** Creates a snapshot that was taken alone, not with a group. */
    public StoredSnapshot(NativeId id, Optional<CsiName> name, NativeId source, Capacity size, Instant created) {
        this(id, name, source, size, created, Optional.empty());
    }
}
