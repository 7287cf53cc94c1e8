package dev.fairlead.bootstrap.serving.pool;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.store.SharedDisks.PoolPlace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of pools on the operating system's file system, once when that begins and once when it ends. */
public final class PoolEvents {
    private static final Logger log = LoggerFactory.getLogger(PoolEvents.class);

    private final Announcer announcer;
    private final Set<String> told = new HashSet<>();

    public PoolEvents(Announcer announcer) {
        this.announcer = announcer;
    }

    /** Tells of one look. Called by one thread. */
    public void found(List<PoolPlace> pools) {
        for (PoolPlace pool : pools) {
            String subject = pool.connection() + "/" + pool.pool();
            if (pool.shared() ? told.add(subject) : told.remove(subject)) {
                tell(pool, subject);
            }
        }
    }

    private void tell(PoolPlace pool, String subject) {
        String text = "pool '" + pool.pool() + "' of connection '" + pool.connection() + "' "
                + (pool.shared()
                        ? "lies on the operating system's file system, which a full pool stops; mount a disk of its own"
                                + " at its path, or write systemDisk: refuse"
                        : "lies on the operating system's file system no more");
        (pool.shared() ? log.atWarn() : log.atInfo()).log(text);
        announcer.announce(
                new Announcement(pool.shared() ? Kind.POOL_ON_SYSTEM_DISK : Kind.POOL_RECOVERED, subject, text));
    }
}
