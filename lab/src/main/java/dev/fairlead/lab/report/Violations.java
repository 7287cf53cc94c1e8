package dev.fairlead.lab.report;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the promises that the driver broke, and prints the first of each kind, each with the seconds of the run after
 * which it was seen.
 */
public final class Violations {
    /** The most that are printed of one kind, so that slow Probes do not hide a lost volume. */
    private static final int PRINTED = 20;

    private final long begin = System.nanoTime();
    private final Map<String, AtomicInteger> kinds = new ConcurrentHashMap<>();
    private final AtomicInteger all = new AtomicInteger();

    /**
     * Counts a violation, and prints it.
     *
     * @param what the violation; its first word is its kind
     */
    public void add(String what) {
        int _ = all.incrementAndGet();
        String kind = what.substring(0, (what + " ").indexOf(' '));
        if (kinds.computeIfAbsent(kind, _ -> new AtomicInteger()).incrementAndGet() <= PRINTED) {
            System.out.println(
                    String.format(Locale.ROOT, "VIOLATION %7.1f s  %s", (System.nanoTime() - begin) / 1e9, what));
        }
    }

    public int count() {
        return all.get();
    }
}
