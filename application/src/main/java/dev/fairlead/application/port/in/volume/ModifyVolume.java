package dev.fairlead.application.port.in.volume;

import dev.fairlead.application.port.work.Work;
import java.util.Map;

/** Changes properties of a volume that is perhaps in use, all of them or none. */
public interface ModifyVolume {
    /**
     * @param mutable parameters of a VolumeAttributesClass, as the caller sent them; properties that they do not name
     *     stay as they are
     */
    void modify(String handle, Map<String, String> mutable, Work work);
}
