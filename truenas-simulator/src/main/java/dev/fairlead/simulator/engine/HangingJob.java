package dev.fairlead.simulator.engine;

/** The signal of a job that never leaves the state RUNNING. */
public final class HangingJob extends RuntimeException {
    /** Makes it. */
    public HangingJob() {
        super("The job runs for ever.");
    }
}
