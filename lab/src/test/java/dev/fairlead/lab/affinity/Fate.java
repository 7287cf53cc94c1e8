package dev.fairlead.lab.affinity;

/** Says what becomes of a call at the gate. */
enum Fate {
    PASS,
    /** The process is killed while its call is held, and the server never sees it. */
    KILL_BEFORE,
    /** The server carries the call out, and the process is killed instead of being answered. */
    KILL_AFTER,
    CONFLICT,
    TOO_MANY,
    SERVER_ERROR,
    UNAVAILABLE,
    /** The connection ends before the server has seen the call. */
    CUT_BEFORE,
    /** The server carries the call out, and the connection ends without an answer. */
    CUT_AFTER,
    /** The server carries the call out, and no answer comes for longer than anybody waits. */
    SILENT_AFTER;

    /** Says whether the server carries the call out. */
    boolean reachesServer() {
        return switch (this) {
            case PASS, KILL_AFTER, CUT_AFTER, SILENT_AFTER -> true;
            case KILL_BEFORE, CONFLICT, TOO_MANY, SERVER_ERROR, UNAVAILABLE, CUT_BEFORE -> false;
        };
    }
}
