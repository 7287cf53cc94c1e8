package dev.fairlead.testkit.crash;

/** The process is dead. An error, so that nothing that handles exceptions lives on after its own death. */
public final class ProcessDied extends Error {
    private static final long serialVersionUID = 1L;

    ProcessDied(String where) {
        super("the process died " + where);
    }
}
