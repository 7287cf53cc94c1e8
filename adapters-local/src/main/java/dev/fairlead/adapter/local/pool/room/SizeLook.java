package dev.fairlead.adapter.local.pool.room;

import dev.fairlead.adapter.local.pool.kind.Occupancy.SpaceUse;
import dev.fairlead.adapter.local.pool.room.Sums.Share;
import java.util.Optional;

/**
 * Holds what was found of one volume or snapshot.
 *
 * @param recorded the bytes that its record says
 * @param found what it occupies; empty if that is not known of its kind
 */
public record SizeLook(long recorded, Optional<SpaceUse> found) {
    /** Returns whether its limit is not what its record says. */
    boolean lacksLimit() {
        return found.filter(use -> use.lacks(recorded)).isPresent();
    }

    /** Returns the share of a volume, which is promised what its record says, or its limit if that is more. */
    Share ofVolume() {
        boolean lacks = lacksLimit();
        // What has no limit may be larger than what its record says.
        long most = found.map(use -> lacks ? Math.max(use.length(), use.bytes()) : use.length())
                .orElse(0L);
        long bytes = Math.max(recorded, most);
        long occupied = found.map(SpaceUse::bytes).orElse(bytes);
        return new Share(bytes, Math.min(bytes, occupied));
    }

    /** Returns the share of a snapshot, which is promised what it occupies. */
    Share ofSnapshot() {
        long occupied = found.map(SpaceUse::bytes).orElse(recorded);
        return new Share(occupied, occupied);
    }
}
