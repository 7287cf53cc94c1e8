package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcer;
import java.util.List;

/** Keeps what is announced in a list. */
public record ToldAnnouncements(List<Announcement> told) implements Announcer {
    @Override
    public void announce(Announcement announcement) {
        told.add(announcement);
    }

    @Override
    public long dropped() {
        return 0;
    }

    @Override
    public void close() {}
}
