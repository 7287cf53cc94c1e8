package dev.fairlead.testkit.crash;

/**
 * Makes the outside world of a harness, and opens over it the subjects that a process opens.
 *
 * @param <S> what calls are made on: a store, an exporter, all use cases of a process
 */
public interface CrashFixture<S> {
    /** Makes the world as it was before anything was done to it. */
    void reset();

    /** Opens a new subject over the world as it is, as a starting process does. */
    S open();

    /** Closes a subject in order, and waits for what it does in the background. */
    void close(S subject);

    /** Lets go of a subject whose process died: nothing that an orderly end would do is done to the world. */
    default void bury(S subject) {}

    /**
     * Returns all of the world that matters as text, leftovers included. Equal worlds give equal texts; times and
     * random names are left out. It does not ask the subject.
     */
    String dump();
}
