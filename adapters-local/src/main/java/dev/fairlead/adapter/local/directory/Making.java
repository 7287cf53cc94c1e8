package dev.fairlead.adapter.local.directory;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this process is making at the moment, across all versions of all connections.
 *
 * <p>Names of what is being made begin with a word of this process, so that an earlier one's leftovers can be told from
 * them.
 */
final class Making {
    private final String prefix = UUID.randomUUID().toString().substring(0, 8) + ".";
    private final Set<Path> paths = ConcurrentHashMap.newKeySet();
    private final Map<Path, ReentrantLock> marking = new ConcurrentHashMap<>();

    String prefix() {
        return prefix;
    }

    /** Whether an earlier process made this, or one of ours whose next attempt will not use the name again. */
    boolean isLeftover(Path path) {
        String name = String.valueOf(path.getFileName());
        return !name.startsWith(prefix) || (name.endsWith(".owner") && !isBusy(path));
    }

    /** The lock of those who write the mark of a base; each holds it for a few small files. */
    ReentrantLock marking(Path base) {
        return marking.computeIfAbsent(base, _ -> new ReentrantLock());
    }

    /** Takes a path; the answer is false where somebody has it. */
    boolean begin(Path path) {
        return paths.add(path);
    }

    void end(Path path) {
        paths.remove(path);
    }

    boolean isBusy(Path path) {
        return paths.contains(path);
    }
}
