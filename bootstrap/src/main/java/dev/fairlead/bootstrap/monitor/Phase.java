package dev.fairlead.bootstrap.monitor;

/** Lists the phases of a driver from its start to its end. */
public enum Phase {
    STARTING,
    /** Another replica leads; this one is well, and its sockets are closed. */
    STANDBY,
    SERVING,
    ENDING
}
