package dev.fairlead.application.service.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import java.util.Optional;

/** Grows the storage of a volume for a node that has it in its own process; no other node holds storage settings. */
@FunctionalInterface
public interface NodeGrowth {
    /**
     * The implementation for a node without storage settings: the controller has grown the storage before the node is
     * asked.
     */
    NodeGrowth ELSEWHERE = new NodeGrowth() {
        @Override
        public Optional<Capacity> grow(String handle, CapacityRange range, Work work) {
            return Optional.empty();
        }

        @Override
        public boolean isHere() {
            return false;
        }
    };

    /** Returns whether this process has the storage settings. */
    default boolean isHere() {
        return true;
    }

    /** Grows the storage and returns its new size; empty if this node cannot tell. */
    Optional<Capacity> grow(String handle, CapacityRange range, Work work);
}
