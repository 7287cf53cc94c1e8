package dev.fairlead.adapter.freenas.store;

import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps what was read back of volumes that were made just now, so that the first notes after a creation need no look:
 * nobody else knows of the volume yet.
 */
final class MadeVolumes {
    private static final int MOST = 200;

    private final Map<NativeId, VolumeProperties> volumes = new LinkedHashMap<>();

    synchronized void remember(NativeId id, VolumeProperties volume) {
        volumes.remove(id);
        volumes.put(id, volume);
        if (volumes.size() > MOST) {
            volumes.remove(volumes.keySet().iterator().next());
        }
    }

    /** Returns what was read back, once. */
    synchronized Optional<VolumeProperties> take(NativeId id) {
        return Optional.ofNullable(volumes.remove(id));
    }
}
