package dev.fairlead.bootstrap.monitor;

/** Where a driver is between its start and its end. */
public enum Phase {
    STARTING,
    /** Another replica leads; this one is well, and its sockets are closed. */
    STANDBY,
    SERVING,
    ENDING
}
