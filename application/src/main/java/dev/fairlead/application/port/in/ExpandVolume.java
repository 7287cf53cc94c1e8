package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;

/** Grows a volume on its storage. Never shrinks. */
public interface ExpandVolume {
    Result expand(String handle, CapacityRange range, Work work);

    /** @param nodeMustGrow whether the node has to grow a file system after this */
    record Result(Capacity capacity, boolean nodeMustGrow) {}
}
