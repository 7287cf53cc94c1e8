package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.application.port.work.Work;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Notes which release each piece of work was told last: the arguments of its changes are made for that one. */
final class ReleaseNotes {
    /** The most pieces of work at once of which one is known; the oldest is forgotten. */
    private static final int MOST = 1024;

    private final Map<String, TruenasRelease> told = new LinkedHashMap<>();

    synchronized void note(Work work, TruenasRelease release) {
        told.remove(work.requestId());
        told.put(work.requestId(), release);
        if (told.size() > MOST) {
            told.remove(told.keySet().iterator().next());
        }
    }

    synchronized Optional<TruenasRelease> of(Work work) {
        return Optional.ofNullable(told.get(work.requestId()));
    }

    synchronized void forget(Work work) {
        told.remove(work.requestId());
    }
}
