package dev.fairlead.simulator.engine;

/** The signal of what never comes to an end: a job that hangs, or a call to a box that was switched off meanwhile. */
public final class NoReturn extends RuntimeException {
    /** Makes it. */
    public NoReturn() {
        super("Nothing comes back.");
    }
}
