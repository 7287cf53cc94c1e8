package dev.fairlead.testkit.crash;

/**
 * The process is dead. This is an error, so that code that handles exceptions does not go on after the process has
 * died.
 */
public final class ProcessDied extends Error {
    private static final long serialVersionUID = 1L;

    ProcessDied(String where) {
        super("the process died " + where);
    }
}
