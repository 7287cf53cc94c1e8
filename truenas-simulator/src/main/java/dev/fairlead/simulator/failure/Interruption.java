package dev.fairlead.simulator.failure;

/** The signal that a call ends in something else than an answer. */
public final class Interruption extends RuntimeException {
    private final transient Fault.Injury injury;

    /** Makes it for an injury that the wire carries out. */
    public Interruption(Fault.Injury injury) {
        super(injury.toString());
        this.injury = injury;
    }

    /** Returns what the wire does. */
    public Fault.Injury injury() {
        return injury;
    }
}
