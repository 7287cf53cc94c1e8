package dev.fairlead.adapter.k8s.event;

/** Records events, at once or later. */
@FunctionalInterface
public interface EventRecorder extends AutoCloseable {
    /**
     * Takes a piece of work that records events, and may throw a {@code StorageException} if they are not recorded.
     *
     * @return false if there is too much to record, so that it is dropped
     */
    boolean offer(Runnable recording);

    /** Returns how many pieces of work were dropped, or failed. */
    default long dropped() {
        return 0;
    }

    /** Takes nothing more, and gives what waits a moment to be recorded. */
    @Override
    default void close() {}
}
