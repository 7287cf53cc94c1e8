package dev.fairlead.adapter.freenas.testkit;

/** Says how much of the long tests is run: a sample with each build, all of it by {@code lab/truenas test}. */
public final class LabScale {
    /** How many of all cuts are tried, and how many of the volumes, in percent. */
    public static final int PERCENT = Integer.getInteger("fairlead.truenas.percent", 2);

    private LabScale() {}
}
