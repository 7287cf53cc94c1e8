package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeCapability;

/** Lets a node reach a volume; does nothing if the volume is open to every node. */
public interface PublishVolume {
    void publish(Command command, Work work);

    record Command(String handle, String nodeId, VolumeCapability capability, boolean readonly) {}
}
