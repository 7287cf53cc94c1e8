package dev.fairlead.lab.abuse;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Collects what the driver promised and did not keep, the first fifty, with the second of the run in which each was
 * seen.
 */
final class Violations {
    private static final int MOST = 50;

    private final long begin = System.nanoTime();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    void add(String what) {
        String line = String.format(Locale.ROOT, "%7.1f s  %s", (System.nanoTime() - begin) / 1e9, what);
        if (seen.size() < MOST) {
            seen.add(line);
            System.out.println("VIOLATION " + line);
        }
    }

    List<String> seen() {
        return List.copyOf(seen);
    }
}
