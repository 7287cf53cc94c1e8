package dev.fairlead.adapter.local.directory;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this process has seen of each base folder, over all versions of all connections: a base whose storage is away is
 * told by it from one that is new.
 */
final class SeenBases {
    private final Map<Path, Signs> seen = new ConcurrentHashMap<>();

    boolean hasSeen(Path base) {
        return seen.containsKey(base);
    }

    /** What is lost by these signs, in words; what is not lost is remembered. */
    Optional<String> lost(Path base, Signs now) {
        Optional<String> lost = seen.getOrDefault(base, now).lostIn(now);
        if (lost.isEmpty() && !now.areNone()) {
            seen.put(base, now);
        }
        return lost;
    }
}
