package dev.fairlead.lab.soak.cluster;

/** Tells what did not come about in its time, and what was seen instead. */
public final class SoakFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SoakFailure(String message) {
        super(message);
    }
}
