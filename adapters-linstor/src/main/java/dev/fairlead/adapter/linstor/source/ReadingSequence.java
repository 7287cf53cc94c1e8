package dev.fairlead.adapter.linstor.source;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells which of several readings at a time is the newer one of a resource: reading all takes seconds, and a few are
 * read beside that. Each has a number, and what began later is newer.
 */
final class ReadingSequence {
    private final Set<Long> open = new HashSet<>();
    private final Set<Long> openLooks = new HashSet<>();
    private final Map<String, KnownReading> newest = new HashMap<>();
    private long last;
    private long lastLook;

    /** The number of the newest look whose resources were noted, or are about to be. */
    private long notedLook;

    /** Holds the number of the newest reading that has noted something of a resource by its name, and what it saw. */
    private record KnownReading(long number, ClusterReading.Seen seen) {}

    /**
     * Begins a reading and returns its number.
     *
     * @param all whether it is a look at all resources
     */
    synchronized long begin(boolean all) {
        long number = ++last;
        open.add(number);
        if (all) {
            openLooks.add(number);
            lastLook = number;
        }
        return number;
    }

    /** Says whether a reading may note its nodes: none that is newer, or will note its own at its end, has begun. */
    synchronized boolean tellsNodes(long number) {
        return openLooks.contains(number) || (openLooks.isEmpty() && number > lastLook);
    }

    /** Says whether something newer of a resource was noted already. */
    synchronized boolean isOutdated(long number, String resource) {
        KnownReading noted = newest.get(resource);
        return notedLook > number || (noted != null && noted.number() > number);
    }

    /** Returns what a reading that began after this one has seen of a resource; empty if that is not known any more. */
    synchronized Optional<ClusterReading.Seen> newer(long number, String resource) {
        return Optional.ofNullable(newest.get(resource))
                .filter(noted -> noted.number() > Math.max(number, notedLook))
                .map(KnownReading::seen);
    }

    /** Notes that what a look tells of all resources was noted, or will be. */
    synchronized void notedAll(long number) {
        notedLook = Math.max(notedLook, number);
    }

    /** Notes that what a reading has seen of a resource was noted. */
    synchronized void noted(long number, String resource, ClusterReading.Seen seen) {
        if (open.size() > 1) {
            newest.merge(
                    resource,
                    new KnownReading(number, seen),
                    (before, now) -> before.number() > now.number() ? before : now);
        }
    }

    /** Ends a reading, whatever came of it. */
    synchronized void end(long number) {
        open.remove(number);
        openLooks.remove(number);
        if (open.isEmpty()) newest.clear();
    }
}
