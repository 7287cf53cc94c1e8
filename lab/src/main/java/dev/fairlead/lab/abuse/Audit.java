package dev.fairlead.lab.abuse;

import csi.v1.ListVolumesResponse;
import dev.fairlead.lab.report.Violations;
import java.io.IOException;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Compares what is on the machine after the abuse with what was there before it. */
final class Audit {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(6);
    private static final Duration SETTLED = Duration.ofMinutes(2);

    private final Installation installation;
    private final Footprint footprint;
    private final SortedSet<String> before;

    /** Notes what is there while there is no volume, once what was deleted before is gone. */
    Audit(Installation installation) throws IOException {
        this.installation = installation;
        this.footprint = Footprint.of(installation);
        this.before = footprint.settled(SETTLED);
    }

    /**
     * Reports all that is left, or missing, once the driver had six minutes to clear it away by itself: what it could
     * not delete at once it tries again without a call.
     */
    void report(Violations violations) throws IOException {
        ListVolumesResponse volumes = installation.client().list(0, "");
        if (volumes.getEntriesCount() > 0) {
            violations.add("volumes are left: " + volumes.getEntriesList());
        }
        int snapshots = installation.client().listSnapshots().getEntriesCount();
        if (snapshots > 0) {
            violations.add(snapshots + " snapshots are left");
        }
        // A volume does not go by itself: a tenant that could not go on has left it, which is reported above.
        long longest = volumes.getEntriesCount() + snapshots > 0 ? 0 : LONGEST_NANOS;
        long begin = System.nanoTime();
        SortedSet<String> after = footprint.now();
        while (!after.equals(before) && System.nanoTime() - begin < longest) {
            Patience.pause();
            after = footprint.now();
        }
        System.out.printf(
                "%s after %.0f s%n",
                after.equals(before) ? "cleared away" : "not cleared away", (System.nanoTime() - begin) / 1e9);
        SortedSet<String> left = new TreeSet<>(after);
        left.removeAll(before);
        left.forEach(what -> violations.add("left: " + what));
        SortedSet<String> missing = new TreeSet<>(before);
        missing.removeAll(after);
        missing.forEach(what -> violations.add("missing: " + what));
    }
}
