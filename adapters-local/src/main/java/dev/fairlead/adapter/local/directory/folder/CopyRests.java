package dev.fairlead.adapter.local.directory.folder;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the sources whose copies went beyond their limits. Callers repeat such a copy for ever, so each is given a
 * rest of ten times what it took, so that it costs a tenth of one copy turn. A source or a target of another size is
 * not held up.
 */
public final class CopyRests {
    private static final Duration LEAST = Duration.ofMinutes(1);
    private static final Duration MOST = Duration.ofHours(1);
    private static final int TIMES = 10;
    private static final int MOST_SOURCES = 1000;

    private final Map<Path, Rest> all = new LinkedHashMap<>();

    /** @param size of the source, or of the volume that was made of it, in bytes; 0 if its size is not firm */
    private record Rest(long size, Instant since, Instant until) {
        boolean isOver(Instant now) {
            return now.isBefore(since) || !now.isBefore(until);
        }
    }

    /** Lets a source rest whose copy was ended. */
    public synchronized void begin(Path source, long size, Instant begun, Instant now) {
        Duration rest = Duration.between(begun, now).multipliedBy(TIMES);
        Duration bounded = rest.compareTo(LEAST) < 0 ? LEAST : rest.compareTo(MOST) > 0 ? MOST : rest;
        all.values().removeIf(it -> it.isOver(now));
        all.remove(source);
        if (all.size() >= MOST_SOURCES) {
            Iterator<Path> oldest = all.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        all.put(source, new Rest(size, now, now.plus(bounded)));
    }

    /** Returns until when a source is not copied; empty if it is. */
    public synchronized Optional<Instant> until(Path source, long size, Instant now) {
        return Optional.ofNullable(all.get(source))
                .filter(it -> it.size() == size && !it.isOver(now))
                .map(Rest::until);
    }
}
