package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import java.util.Optional;

/** Takes a volume away from a node, whether the node still is or not. */
public interface UnpublishVolume {
    /**
     * @param handle one that cannot be parsed was never ours: nothing to do
     * @param nodeId one that cannot be parsed never had a volume; none: of all nodes
     */
    void unpublish(String handle, Optional<String> nodeId, Work work);
}
