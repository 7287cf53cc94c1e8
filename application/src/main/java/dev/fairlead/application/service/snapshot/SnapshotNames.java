package dev.fairlead.application.service.snapshot;

import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.CsiName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers on which connection each recent snapshot name was used, so that a second use on another one is noticed.
 *
 * <p>It is a hint, which the connection itself has to confirm. It begins empty in each process, since asking every
 * connection would make each snapshot wait for the slowest one. Thread safe.
 */
public final class SnapshotNames {
    private static final int MOST = 10_000;

    private final Map<CsiName, ConnectionName> used = new LinkedHashMap<>();

    /** Returns the other connection on which this name was used last, if any. */
    synchronized Optional<ConnectionName> elsewhere(CsiName name, ConnectionName here) {
        return Optional.ofNullable(used.get(name)).filter(connection -> !connection.equals(here));
    }

    synchronized void remember(CsiName name, ConnectionName connection) {
        used.remove(name);
        used.put(name, connection);
        if (used.size() > MOST) {
            used.remove(used.keySet().iterator().next());
        }
    }
}
