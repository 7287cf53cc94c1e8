package dev.fairlead.simulator.failure;

/** Counts the steps of one call, between two of which 26 stops it when its connection is cut. */
public final class CallSteps {
    private final Fault.Stopped stop;
    private int done;
    private boolean loaded;

    private CallSteps(Fault.Stopped stop) {
        this.stop = stop;
    }

    /** Counts the steps of a call that comes to its end. */
    public static CallSteps all() {
        return new CallSteps(new Fault.Stopped(Integer.MAX_VALUE));
    }

    /** Counts the steps of a call that is stopped after some of them. */
    public static CallSteps until(Fault.Stopped stop) {
        return new CallSteps(stop);
    }

    /** Ends a step after which another one comes. */
    public void end() {
        end(false);
    }

    /** Ends a step after which another one comes, and of which the services know. */
    public void endLoaded() {
        end(true);
    }

    private void end(boolean known) {
        loaded = known;
        if (++done >= stop.steps()) throw new Interruption(stop);
    }

    /** Returns how many steps have ended after which another one comes. */
    public int done() {
        return done;
    }

    /** Tells whether the services know of all steps that have ended. */
    public boolean areLoaded() {
        return loaded;
    }
}
