package dev.fairlead.adapter.freenas.testkit;

import dev.fairlead.simulator.profile.Profile;
import java.nio.file.Path;
import java.util.Set;

/** Says how much of the long tests is run: a sample with each build, all of it by {@code lab/truenas test}. */
public final class LabScale {
    /** How many of all cuts are tried, and how many of the volumes, in percent. */
    public static final int PERCENT = Integer.getInteger("fairlead.truenas.percent", 2);

    /** A line for each box that has passed, for the table of {@code lab/truenas test}. */
    public static final Path ROWS = Path.of(System.getProperty("fairlead.truenas.rows", "target/truenas-cuts"));

    private static final Set<String> BOXES =
            Set.of(System.getProperty("fairlead.truenas.boxes", "").split(",", -1));

    private LabScale() {}

    /** Says whether a run names its boxes; if not, a test takes those that are its sample. */
    public static boolean namesBoxes() {
        return !BOXES.contains("");
    }

    /** Says whether a run names a box, such as {@code freenas-api-nfs@25.10}. */
    public static boolean isNamed(String driverType, Profile profile) {
        return BOXES.contains(driverType + "@" + profile.title());
    }

    /** Returns the release on which a run holds the contracts, or the one of a build's sample. */
    public static Profile release(Profile sample) {
        String title = System.getProperty("fairlead.truenas.release", sample.title());
        return Profile.named(title)
                .orElseThrow(() -> new IllegalArgumentException(
                        "-Dfairlead.truenas.release=" + title + " is no release that is played"));
    }
}
