package dev.fairlead.application.port.work;

import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;

/**
 * Carries the deadline, progress and request id of one call; it is passed as an argument, never by a thread-local.
 *
 * <p>Every change to the outside world goes through {@link #effect}. That one place gives the debug log line and the
 * metric of each effect, checks for cancellation between effects (never inside one), and is where the test kit injects
 * crashes and false answers.
 */
public interface Work {
    /** Returns the RPC and its subject, in words that a second caller may read. */
    String what();

    /** Returns the id of the RPC, which every log line has. */
    String requestId();

    /** Returns the time until the caller gives up; zero or less if it has. Work that must finish may go on longer. */
    Duration left();

    /**
     * Records how far a long effect has come, in units of its own choice; shown to a second caller that has to wait.
     */
    void progress(long done, long total);

    /**
     * Records how many bytes have been moved.
     *
     * @param what the data that is moved, and its destination
     */
    default void moved(String what, long bytes, long total) {
        progress(bytes, total);
    }

    /** Returns the last progress that was recorded, in words; empty if there was none. */
    String progressSoFar();

    /** Throws {@code StorageException(Cancelled)} if the caller has gone. Called between effects. */
    void checkCancelled();

    /**
     * Throws {@code StorageException(BackendUnavailable)} if this process is about to end. Called within an effect that
     * takes long, outlives its caller, and is begun anew by a repeated call: it must not delay the end.
     */
    default void checkEnding() {}

    /**
     * Returns the same work without cancellation, for the steps that finish a long effect, so that a copy that outlived
     * its caller is not thrown away. All else is as before.
     */
    Work finishing();

    /** Returns the same work, with its further effects counted for this connection. */
    default Work on(ConnectionName connection) {
        return this;
    }

    /**
     * Runs one change to the outside world, after {@link #checkCancelled}.
     *
     * @throws X whatever the action throws, unchanged
     */
    <X extends Exception> void effect(Effect effect, Action<X> action) throws X;

    /** A change to the outside world; it must be repeatable. */
    @FunctionalInterface
    interface Action<X extends Exception> {
        void run() throws X;
    }
}
