package dev.fairlead.application.port.in;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;

/** Undoes a publication and removes the target path (CSI NodeUnpublishVolume); what is not published is done. */
public interface UnmountVolume {
    void unmount(String handle, Path target, Work work);
}
