package dev.fairlead.testkit;

/** Storage that can go as a whole, as a disk, a network file system or a pool does, and come back. */
public interface AbsenceSubject extends SnapshotSubject {
    /** Takes the whole of the storage away, as an unmounted disk or an exported pool is away. */
    void takeAway();

    /** Brings it back as it was. */
    void bringBack();
}
