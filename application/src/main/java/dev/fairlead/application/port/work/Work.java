package dev.fairlead.application.port.work;

import dev.fairlead.domain.connection.ConnectionName;
import java.time.Duration;

/**
 * A piece of work on its way down: handed along as an argument, never ambient.
 *
 * <p>Every change to the outside world goes through {@link #effect}. That one place gives the debug log line and the
 * metric of each effect, asks for cancellation between effects (never inside one), and is where the crash-point and
 * lying-backend harnesses of the test kit cut in.
 */
public interface Work {
    /** What this work is, in words that a second caller may read: the RPC and its subject. */
    String what();

    /** Identifies the RPC in every log line. */
    String requestId();

    /** Time until the caller gives up; zero or less when it has. Work that must finish may go on longer. */
    Duration left();

    /** How far a long effect has come, in units of its own choice; shown to a second caller that has to wait. */
    void progress(long done, long total);

    /**
     * The same of bytes that are moved.
     *
     * @param what is moved, and where to
     */
    default void moved(String what, long bytes, long total) {
        progress(bytes, total);
    }

    /** What {@link #progress} was last told, in words; empty where it was told nothing. */
    String progressSoFar();

    /** Throws {@code StorageException(Cancelled)} when the caller has gone. Called between effects. */
    void checkCancelled();

    /**
     * Throws {@code StorageException(BackendUnavailable)} when this process is about to end. Called within an effect
     * that takes long, outlives its caller, and is begun anew by a repeated call: it must not hold the end up.
     */
    default void checkEnding() {}

    /**
     * The same work from here on, whatever becomes of its caller: for the steps that finish what took long, so that a
     * copy that outlived its caller is not thrown away. Its effects no longer look at cancellation; all else is as
     * before.
     */
    Work finishing();

    /** The same work from here on, whose effects are counted as the connection's. */
    default Work on(ConnectionName connection) {
        return this;
    }

    /**
     * Runs one change to the outside world, after looking at cancellation.
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
