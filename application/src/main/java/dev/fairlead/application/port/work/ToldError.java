package dev.fairlead.application.port.work;

/**
 * Remembers which error of the program was told last, so that one that each try repeats is told with its trace once. It
 * is used by one thread.
 */
public final class ToldError {
    private String told = "";

    /** Returns whether an error is another one than the last; from now on it is the last. */
    public boolean isNew(Throwable thrown) {
        boolean isNew = !told.equals(thrown.toString());
        told = thrown.toString();
        return isNew;
    }

    /** Forgets the last error, since a try went well. */
    public void over() {
        told = "";
    }
}
