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
 */
public record StoredSnapshot(NativeId id, Optional<CsiName> name, NativeId source, Capacity size, Instant created) {}
