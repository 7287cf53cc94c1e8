package dev.fairlead.lab.abuse;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what the driver promised and did not keep, and prints the first of each kind, with the second of the run in
 * which each was seen.
 */
final class Violations {
    /** Of one kind, so that slow Probes do not hide a volume that is lost. */
    private static final int PRINTED = 20;

    private final long begin = System.nanoTime();
    private final Map<String, AtomicInteger> kinds = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();

    /** @param what begins with a word for its kind */
    void add(String what) {
        int _ = all.incrementAndGet();
        String kind = what.substring(0, (what + " ").indexOf(' '));
        if (kinds.computeIfAbsent(kind, _ -> new AtomicInteger()).incrementAndGet() <= PRINTED) {
            System.out.println(
                    String.format(Locale.ROOT, "VIOLATION %7.1f s  %s", (System.nanoTime() - begin) / 1e9, what));
        }
    }

    int count() {
        return all.get();
    }
}
