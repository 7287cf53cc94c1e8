package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;
import java.util.Optional;

/** Takes a volume away from a node, even if the node no longer exists. */
public interface UnpublishVolume {
    /**
     * @param handle if it cannot be parsed, the volume was never Fairlead's, and nothing is done
     * @param nodeId if it cannot be parsed, the node never had a volume, and nothing is done; empty: all nodes
     */
    void unpublish(String handle, Optional<String> nodeId, Work work);
}
