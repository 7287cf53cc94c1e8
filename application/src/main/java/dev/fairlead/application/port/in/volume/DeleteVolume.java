package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;

/** Removes a volume; returns once it is proved absent. */
public interface DeleteVolume {
    /** @param handle if it cannot be parsed, the volume was never Fairlead's, and nothing is done */
    void delete(String handle, Work work);
}
