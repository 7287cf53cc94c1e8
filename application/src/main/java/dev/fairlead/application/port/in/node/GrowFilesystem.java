package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import java.nio.file.Path;
import java.util.Optional;

/** Lets a mounted volume use the size that it has been given (CSI NodeExpandVolume). */
public interface GrowFilesystem {
    /** Returns the size after growing; empty if the node cannot tell. */
    Optional<Capacity> grow(String handle, Path path, CapacityRange range, Work work);
}
