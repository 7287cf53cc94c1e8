package dev.fairlead.adapter.local.directory;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

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
        AtomicReference<Optional<String>> lost = new AtomicReference<>(Optional.empty());
        seen.compute(base, (_, before) -> {
            lost.set((before == null ? now : before).lostIn(now));
            return lost.get().isPresent() || now.areNone() ? before : now;
        });
        return lost.get();
    }
}
