package dev.fairlead.adapter.freenas.testkit;

import java.util.Set;

/** Says how much of the long tests is run: a sample with each build, all of it by {@code lab/truenas test}. */
public final class LabScale {
    /** How many of all cuts are tried, and how many of the volumes, in percent. */
    public static final int PERCENT = Integer.getInteger("fairlead.truenas.percent", 2);

    private static final Set<String> BOXES =
            Set.of(System.getProperty("fairlead.truenas.boxes", "").split(",", -1));

    private LabScale() {}

    /** Says whether a box, such as V25_10-NFS, is among those that a run is limited to; all are if none is named. */
    public static boolean isWanted(String box) {
        return BOXES.contains("") || BOXES.contains(box);
    }
}
