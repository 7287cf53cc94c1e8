package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;

/** Undoes a publication and removes the target path (CSI NodeUnpublishVolume); does nothing if there is none. */
public interface UnmountVolume {
    void unmount(String handle, Path target, Work work);
}
