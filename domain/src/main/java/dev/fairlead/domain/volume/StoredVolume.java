package dev.fairlead.domain.volume;

import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.topology.Placement;
import java.util.Map;
import java.util.Optional;

/**
 * Describes an existing volume as its store sees it.
 *
 * @param name the CSI name under which it was made; absent if a peer made it and kept no name
 * @param capacity its size; absent if the store keeps none (a peer's plain directory)
 * @param notes what was noted with it at its creation and since, see {@link Notes}
 * @param ownPlacement from where it is reachable now, if its store places each volume; absent if it is reachable from
 *     wherever its connection is
 */
public record StoredVolume(
        NativeId id,
        Optional<CsiName> name,
        Optional<Capacity> capacity,
        VolumeMedium medium,
        Content content,
        Map<String, String> notes,
        Optional<Placement> ownPlacement) {
    public StoredVolume {
        notes = Map.copyOf(notes);
    }

    /** Describes a volume that is reachable from wherever its connection is. */
    public StoredVolume(
            NativeId id,
            Optional<CsiName> name,
            Optional<Capacity> capacity,
            VolumeMedium medium,
            Content content,
            Map<String, String> notes) {
        this(id, name, capacity, medium, content, notes, Optional.empty());
    }

    /** Returns the same volume with this size in the place of its own. */
    public StoredVolume withCapacity(Optional<Capacity> size) {
        return new StoredVolume(id, name, size, medium, content, notes, ownPlacement);
    }

    /** Returns the same volume with these notes in the place of its own. */
    public StoredVolume withNotes(Map<String, String> all) {
        return new StoredVolume(id, name, capacity, medium, content, all, ownPlacement);
    }
}
