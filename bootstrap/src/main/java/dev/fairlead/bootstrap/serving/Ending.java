package dev.fairlead.bootstrap.serving;

/** Tells the work of this process whether the process is about to end. */
final class Ending {
    private volatile boolean begun;

    void begin() {
        begun = true;
    }

    boolean hasBegun() {
        return begun;
    }
}
