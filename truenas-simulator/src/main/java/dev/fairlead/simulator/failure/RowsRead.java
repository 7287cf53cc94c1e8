package dev.fairlead.simulator.failure;

/**
 * Counts what a real box of the release reads of ZFS to answer one call, however little of that it answers: its queries
 * filter what was read.
 */
public final class RowsRead {
    private long snapshots;
    private long names;
    private long datasets;

    /** Counts snapshots that are read with their properties or holds, each of which costs ZFS several questions. */
    public void addSnapshots(long count) {
        snapshots += count;
    }

    /** Counts snapshots whose names alone are listed, which costs little. */
    public void addNames(long count) {
        names += count;
    }

    /** Counts datasets that are read with their properties. */
    public void addDatasets(long count) {
        datasets += count;
    }

    /** Returns how many snapshots were read with their properties or holds. */
    public long snapshots() {
        return snapshots;
    }

    /** Returns of how many snapshots the names alone were listed. */
    public long names() {
        return names;
    }

    /** Returns how many datasets were read. */
    public long datasets() {
        return datasets;
    }
}
