package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.VolumeCapability;

/** Lets a node reach a volume; where the volume is open to all, nothing has to be done. */
public interface PublishVolume {
    void publish(Command command, Work work);

    record Command(String handle, String nodeId, VolumeCapability capability, boolean readonly) {}
}
