package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.application.port.work.Work;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Notes what each piece of work was told last, such as the release of the box, for which the arguments of its changes
 * are made.
 */
final class WorkNotes<T> {
    /** The most pieces of work at once of which something is known; the oldest is forgotten. */
    private static final int MOST = 1024;

    private final Map<String, T> told = new LinkedHashMap<>();

    synchronized void note(Work work, T news) {
        told.remove(work.requestId());
        told.put(work.requestId(), news);
        if (told.size() > MOST) {
            told.remove(told.keySet().iterator().next());
        }
    }

    synchronized Optional<T> of(Work work) {
        return Optional.ofNullable(told.get(work.requestId()));
    }

    synchronized void forget(Work work) {
        told.remove(work.requestId());
    }
}
