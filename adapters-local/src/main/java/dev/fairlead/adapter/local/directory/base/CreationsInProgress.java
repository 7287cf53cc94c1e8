package dev.fairlead.adapter.local.directory.base;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Knows what this process is making at the moment, across all versions of all connections.
 *
 * <p>Names of what is being made begin with a prefix of this process, so that leftovers of earlier processes can be
 * recognized.
 */
public final class CreationsInProgress {
    private static final long NEVER = Long.MAX_VALUE;
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final String prefix = UUID.randomUUID().toString().substring(0, 8) + ".";
    private final Set<Path> paths = ConcurrentHashMap.newKeySet();
    private final Map<Path, ReentrantLock> marking = new ConcurrentHashMap<>();

    /** The times at which folders of groups are looked through for what was cut; {@link #NEVER} if nothing is left. */
    private final Map<Path, Long> sweeps = new ConcurrentHashMap<>();

    String prefix() {
        return prefix;
    }

    /**
     * Returns whether an earlier process made this, or a call of ours that has ended and whose repetition will use
     * another name.
     */
    boolean isLeftover(Path path) {
        String name = String.valueOf(path.getFileName());
        return !name.startsWith(prefix) || (name.endsWith(".owner") && !isBusy(path));
    }

    /** Returns the lock for writing the mark of a base, which is held only while a few small files are written. */
    ReentrantLock marking(Path base) {
        return marking.computeIfAbsent(base, _ -> new ReentrantLock());
    }

    /** Takes a path; returns false if another call has it. */
    public boolean begin(Path path) {
        return paths.add(path);
    }

    public void end(Path path) {
        paths.remove(path);
    }

    public boolean isBusy(Path path) {
        return paths.contains(path);
    }

    /** Returns whether the caller is to look for groups that a cut call has left half; one caller is. */
    boolean beginSweep(Path groups) {
        Long next = sweeps.get(groups);
        return next == null
                ? sweeps.putIfAbsent(groups, NEVER) == null
                : next != NEVER && next - System.nanoTime() <= 0 && sweeps.replace(groups, next, NEVER);
    }

    /** Forgets that it was looked for such groups, so that the next caller looks again. */
    public void sweepAgain(Path groups) {
        sweeps.remove(groups);
    }

    /** Lets a caller look again after a minute, since what one has found could not be taken away. */
    void sweepLater(Path groups) {
        sweeps.put(groups, System.nanoTime() + PAUSE.toNanos());
    }
}
