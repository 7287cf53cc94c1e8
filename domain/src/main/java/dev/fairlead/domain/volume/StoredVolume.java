package dev.fairlead.domain.volume;

import dev.fairlead.domain.capacity.Capacity;
import java.util.Map;
import java.util.Optional;

/**
 * Describes an existing volume as its store sees it.
 *
 * @param name the CSI name under which it was made; absent if a peer made it and kept no name
 * @param capacity its size; absent if the store keeps none (a peer's plain directory)
 * @param notes what was noted with it at its creation and since, see {@link Notes}
 */
public record StoredVolume(
        NativeId id,
        Optional<CsiName> name,
        Optional<Capacity> capacity,
        VolumeMedium medium,
        Content content,
        Map<String, String> notes) {
    public StoredVolume {
        notes = Map.copyOf(notes);
    }
}
