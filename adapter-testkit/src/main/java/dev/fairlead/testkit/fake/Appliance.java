package dev.fairlead.testkit.fake;

import java.util.Map;
import java.util.TreeMap;

/** A NAS with an interface of its own, which knows paths and gives its shares numbers; it outlives its exporters. */
public final class Appliance {
    private final Map<String, Integer> shares = new TreeMap<>();
    private int last;

    /** Shares a path, and answers the number of its share; a path has one. */
    synchronized int share(String path) {
        return shares.computeIfAbsent(path, _ -> ++last);
    }

    synchronized void unshare(String path) {
        shares.remove(path);
    }

    /** Returns its shares, by their paths. */
    public synchronized Map<String, Integer> shares() {
        return Map.copyOf(shares);
    }
}
