package dev.fairlead.application.service.health;

import dev.fairlead.application.port.out.node.StagedHandles;
import dev.fairlead.application.service.health.StagedMounts.StagedMount;
import dev.fairlead.application.service.node.StagingPaths;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Remembers where volumes were mounted at former looks, and finds those of which the mount is gone while the
 * orchestrator goes on to count them as staged and a pod has them. What no pod has may be unstaged for long, or was
 * unmounted by this driver.
 */
final class MissingMounts {
    private final StagedHandles handles;
    private final Map<Path, Seen> seen = new LinkedHashMap<>();
    private final Map<Path, Integer> absent = new HashMap<>();

    MissingMounts(StagedHandles handles) {
        this.handles = handles;
    }

    /** Holds a volume that was mounted, and the note that was beside it then. */
    private record Seen(StagedMount volume, Optional<String> note) {}

    /**
     * Returns the volumes that were mounted once, and at how many looks in a row they were not. After one it may be
     * that a pod is about to give its volume back; after two the mount went away.
     */
    synchronized Map<StagedMount, Integer> after(List<StagedMount> staged) {
        Map<Path, StagedMount> now = new HashMap<>();
        staged.forEach(it -> now.put(staging(it), it));
        seen.entrySet()
                .removeIf(it -> now.containsKey(it.getKey())
                        || it.getValue().note().isEmpty()
                        || !it.getValue().note().equals(handles.note(it.getKey())));
        absent.keySet().retainAll(seen.keySet());
        Map<StagedMount, Integer> missing = new LinkedHashMap<>();
        Set<Path> ofPods = seen.isEmpty() ? Set.of() : handles.ofPods(seen.keySet());
        seen.forEach((path, it) -> {
            if (ofPods.contains(path)) {
                missing.put(it.volume(), absent.merge(path, 1, Integer::sum));
            } else {
                absent.remove(path);
            }
        });
        now.forEach((path, volume) -> {
            if (!volume.mount().isRemoved()) {
                seen.put(path, new Seen(volume, handles.note(path)));
            }
        });
        return missing;
    }

    private static Path staging(StagedMount volume) {
        return Path.of(StagingPaths.staging(volume.mount().mountPoint()));
    }
}
