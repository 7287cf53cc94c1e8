package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;

/** Grows a volume on its storage. Never shrinks. */
public interface ExpandVolume {
    /** What a volume of its node's own storage is to have is left to that node, which may be another one. */
    Result expand(String handle, CapacityRange range, Work work);

    /** Grows it here, on the node that has it. */
    default Result expandHere(String handle, CapacityRange range, Work work) {
        return expand(handle, range, work);
    }

    /** @param nodeMustGrow whether the node has to grow the volume or its file system after this */
    record Result(Capacity capacity, boolean nodeMustGrow) {}
}
