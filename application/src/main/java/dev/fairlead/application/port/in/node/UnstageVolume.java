package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;

/** Undoes staging; does nothing if the volume is not staged. */
public interface UnstageVolume {
    void unstage(String handle, Path staging, Work work);
}
