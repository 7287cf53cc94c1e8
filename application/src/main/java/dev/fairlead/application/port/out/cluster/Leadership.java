package dev.fairlead.application.port.out.cluster;

import java.util.function.Consumer;

/** Elects one leader among the replicas of a process. At no time do two of them believe that they lead. */
public interface Leadership {
    /** Lists the states of this process in the election. */
    enum Standing {
        /** Another leads, or nobody yet. */
        STANDBY,
        LEADING,
        /** It led, and does not any more, or it could not have led safely; it never will again. */
        LOST,
        /** It has stopped contending. */
        ENDED
    }

    /**
     * Contends until this process leads. To be called once.
     *
     * @param lost is called once, on a thread of its own, with the reason if the leadership is lost; this process then
     *     has to stop at once, since another may begin a few seconds later
     * @return false if this process does not lead: {@link #end} was called before it led, or it has lost already
     */
    boolean lead(Consumer<String> lost) throws InterruptedException;

    Standing standing();

    /** Returns the name of the leader as far as is known, this process included; the empty text if nobody leads. */
    String leader();

    /**
     * Gives the leadership up, so that another replica can take it at once. Only for a leader whose work has all ended.
     */
    void resign();

    /** Stops contending. A leadership that was not resigned is free once its time has run out. */
    void end();
}
