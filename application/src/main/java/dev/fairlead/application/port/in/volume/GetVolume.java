package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;

/** Looks one volume up. */
public interface GetVolume {
    VolumeView get(String handle, Work work);
}
