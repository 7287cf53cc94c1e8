package dev.fairlead.application.port.out.cluster;

import java.util.function.Consumer;

/**
 * The one place that several replicas of a process contend for. At no time do two of them believe that they have it.
 */
public interface Leadership {
    /** How this process stands. */
    enum Standing {
        /** Another leads, or nobody yet. */
        STANDBY,
        LEADING,
        /** It led, and does not any more; it never will again. */
        LOST,
        /** It has stopped contending. */
        ENDED
    }

    /**
     * Contends until this process leads. To be called once.
     *
     * @param lost is told, once and on a thread of its own, why the place was lost; whoever leads then has to stop at
     *     once, since another may begin a few seconds later
     * @return false where it was ended before it led
     */
    boolean lead(Consumer<String> lost) throws InterruptedException;

    Standing standing();

    /** Who leads as far as is known, this process included; empty where nobody does. */
    String leader();

    /** Gives the place up, so that another has it at once. Only for a leader whose work has all ended. */
    void resign();

    /** Stops contending. A place that was not resigned is free once its time has run out. */
    void end();
}
