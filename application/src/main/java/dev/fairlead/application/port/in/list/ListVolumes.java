package dev.fairlead.application.port.in.list;

import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.work.Work;
import java.util.Optional;

/** Lists the volumes of all connections, in the order of connection and id. */
public interface ListVolumes {
    /** @param max the largest number of items; 0: no limit */
    Listing<VolumeView> list(Optional<String> token, int max, Work work);
}
