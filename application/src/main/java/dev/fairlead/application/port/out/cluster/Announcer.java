package dev.fairlead.application.port.out.cluster;

/**
 * Tells the orchestrator's users what they cannot see elsewhere.
 *
 * <p>It never blocks and never throws: what cannot be told in time is counted and dropped.
 */
public interface Announcer extends AutoCloseable {
    Announcer NONE = new Announcer() {
        @Override
        public void announce(Announcement announcement) {}

        @Override
        public long dropped() {
            return 0;
        }

        @Override
        public void close() {}
    };

    void announce(Announcement announcement);

    /** How many announcements reached nobody. */
    long dropped();

    /** Tells what is waiting, for a moment at most, and ends. */
    @Override
    void close();
}
