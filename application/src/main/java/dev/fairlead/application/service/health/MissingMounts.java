package dev.fairlead.application.service.health;

import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.out.node.StagedHandles;
import dev.fairlead.application.service.health.StagedMounts.StagedMount;
import dev.fairlead.application.service.node.StagingPaths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Remembers where volumes were mounted at former looks, and finds those of which the mount is gone while the
 * orchestrator goes on to count them as staged. Those of the journal are left to what compares it with the mounts: an
 * unstaging that cannot detach them is repeated for long.
 */
final class MissingMounts {
    private final StagedHandles handles;
    private final StageJournal journal;
    private final Map<Path, StagedMount> seen = new HashMap<>();
    private final Set<Path> absent = new HashSet<>();

    MissingMounts(StagedHandles handles, StageJournal journal) {
        this.handles = handles;
        this.journal = journal;
    }

    /**
     * Returns the volumes that were mounted once and were not at this look and the one before it: between them an
     * unstaging, after which the orchestrator forgets the volume, has come to its end.
     */
    synchronized List<StagedMount> after(List<StagedMount> staged) {
        Map<Path, StagedMount> now = new HashMap<>();
        staged.forEach(it -> now.put(staging(it), it));
        journal.inventory().entries().forEach(it -> seen.remove(it.staging()));
        seen.keySet().removeIf(it -> !now.containsKey(it) && handles.at(it).isEmpty());
        seen.putAll(now);
        absent.retainAll(seen.keySet());
        absent.removeAll(now.keySet());
        List<StagedMount> missing = new ArrayList<>();
        seen.forEach((path, volume) -> {
            if (!now.containsKey(path) && !absent.add(path)) {
                missing.add(volume);
            }
        });
        return missing;
    }

    private static Path staging(StagedMount volume) {
        return Path.of(StagingPaths.staging(volume.mount().mountPoint()));
    }
}
