package dev.fairlead.adapter.linstor.source;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Remembers the replicas that have gone. LINSTOR gives each replica a UUID of its own, so one that is there again comes
 * from a list that is older than what was seen already. It is believed all the same if it is shown for long: then it
 * was the list without it that was wrong.
 */
final class GoneReplicas {
    /** The number of looks in a row after which a replica that was gone is there again; minutes at the usual rate. */
    private static final int PATIENCE = 20;

    private final Map<String, Set<String>> gone = new HashMap<>();
    private final Map<String, Integer> doubts = new HashMap<>();

    /** Says whether one of a resource's replicas was gone before, and counts it. */
    boolean isBack(String resource, Collection<String> now) {
        boolean back = gone.getOrDefault(resource, Set.of()).stream().anyMatch(now::contains);
        if (!back) {
            doubts.remove(resource);
            return false;
        }
        if (doubts.merge(resource, 1, Integer::sum) < PATIENCE) return true;
        gone.remove(resource);
        doubts.remove(resource);
        return false;
    }

    /** Notes which of a resource's replicas have gone; those of its last change are enough to know an older list. */
    void note(String resource, Collection<String> before, Collection<String> now) {
        Set<String> went = new HashSet<>(before);
        went.removeAll(now);
        went.remove("");
        if (!went.isEmpty()) gone.put(resource, went);
    }

    void keep(Set<String> resources) {
        gone.keySet().retainAll(resources);
        doubts.keySet().retainAll(resources);
    }
}
