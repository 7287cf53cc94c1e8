package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Syncs what was put on a shelf or taken off it, so that it survives a power loss: the records first, then the folders.
 */
public final class RecordedFoldersSync {
    private final Map<Path, SharedSync> shelves = new ConcurrentHashMap<>();

    public void sync(RecordedFolders folders, Work work) throws IOException {
        SharedSync shared =
                shelves.computeIfAbsent(folders.folder(), folder -> new SharedSync(List.of(folders.records(), folder)));
        work.effect(new Effect("sync", folders.folder().toString()), shared::sync);
    }
}
