package dev.fairlead.adapter.local.directory;

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
final class ShelfSync {
    private final Map<Path, SharedSync> shelves = new ConcurrentHashMap<>();

    void sync(Shelf shelf, Work work) throws IOException {
        SharedSync shared =
                shelves.computeIfAbsent(shelf.folder(), folder -> new SharedSync(List.of(shelf.records(), folder)));
        work.effect(new Effect("sync", shelf.folder().toString()), shared::sync);
    }
}
