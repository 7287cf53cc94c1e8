package dev.fairlead.testkit.contract;

/** Provides storage that can go away as a whole, as a disk, a network file system or a pool does, and come back. */
public interface AbsenceSubject extends SnapshotSubject {
    /** Takes the whole storage away, as if a disk were unmounted or a pool exported. */
    void takeAway();

    /** Brings it back as it was. */
    void bringBack();
}
