package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;

/** Grows a volume on its storage. Never shrinks. */
public interface ExpandVolume {
    /** Grows a volume; if it is on a node's own storage, only answers the wanted size, and that node grows it. */
    Result expand(String handle, CapacityRange range, Work work);

    /** Grows the volume in this process, which runs on the node that has it. */
    default Result expandHere(String handle, CapacityRange range, Work work) {
        return expand(handle, range, work);
    }

    /** @param nodeMustGrow whether the node has to grow the volume or its file system after this */
    record Result(Capacity capacity, boolean nodeMustGrow) {}
}
