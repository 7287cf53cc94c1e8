package dev.fairlead.application.port.out.cluster;

/**
 * Tells the orchestrator's users about events that they cannot see elsewhere.
 *
 * <p>It never blocks and never throws: an announcement that cannot be sent in time is counted and dropped.
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

    /** Returns how many announcements were dropped. */
    long dropped();

    /** Sends the announcements that wait, for a short time at most, and ends. */
    @Override
    void close();
}
