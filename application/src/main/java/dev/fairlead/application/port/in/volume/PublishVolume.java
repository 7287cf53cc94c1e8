package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.Map;

/**
 * Lets a node reach a volume; does nothing if the volume is open to every node and its storage has nothing to do for a
 * single one.
 */
public interface PublishVolume {
    /** Returns what the node has to know besides the volume's context; mostly nothing. */
    Map<String, String> publish(Command command, Work work);

    record Command(String handle, String nodeId, VolumeCapability capability, boolean readonly) {}
}
