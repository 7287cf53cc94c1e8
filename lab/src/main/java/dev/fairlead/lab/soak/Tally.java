package dev.fairlead.lab.soak;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happened in the soak, by its name. */
final class Tally {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    void add(String what, long count) {
        counts.computeIfAbsent(what, _ -> new LongAdder()).add(count);
    }

    long of(String what) {
        LongAdder found = counts.get(what);
        return found == null ? 0 : found.sum();
    }
}
