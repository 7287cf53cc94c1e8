package dev.fairlead.adapter.local.directory.folder;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the sources whose copies went beyond their limits. Callers repeat such a copy for ever, so each is given a
 * rest of ten times what it took, so that it costs a tenth of one copy turn. A copy for which there is more, by over a
 * sixty-fourth, is not held up, while one with less would end as well.
 */
public final class CopyRests {
    private static final Duration LEAST = Duration.ofMinutes(1);
    private static final Duration MOST = Duration.ofHours(1);
    private static final int TIMES = 10;
    private static final int MOST_RESTS = 1000;
    private static final int MARGIN = 64;

    private final Map<Refused, Rest> all = new LinkedHashMap<>();

    /** @param size what there is for the copy, or its size if that is advisory, in bytes; 0 if it is not known */
    private record Refused(Path source, long size) {
        boolean isNoLargerThan(Refused other) {
            return source.equals(other.source) && size <= other.size;
        }

        /**
         * Returns whether it rests as well: it is larger by a little at most, as a pod brings about with each block.
         */
        boolean restsWith(Refused other) {
            return source.equals(other.source) && size - other.size <= other.size / MARGIN;
        }
    }

    /** Holds when a rest began and when it ends. */
    private record Rest(Instant since, Instant until) {
        boolean isOver(Instant now) {
            return now.isBefore(since) || !now.isBefore(until);
        }
    }

    /** Returns the largest size with whose rest a copy of this size does not rest. */
    public static long below(long size) {
        return Math.max(0, size - size / MARGIN - 1);
    }

    /** Lets a source rest whose copy was ended. */
    public synchronized void begin(Path source, long size, Instant begun, Instant now) {
        Duration rest = Duration.between(begun, now).multipliedBy(TIMES);
        Duration bounded = rest.compareTo(LEAST) < 0 ? LEAST : rest.compareTo(MOST) > 0 ? MOST : rest;
        all.values().removeIf(it -> it.isOver(now));
        Refused refused = new Refused(source, size);
        Rest its = new Rest(now, now.plus(bounded));
        all.entrySet()
                .removeIf(it -> it.getKey().isNoLargerThan(refused)
                        && !it.getValue().until().isAfter(its.until()));
        if (all.size() >= MOST_RESTS) {
            Iterator<Refused> oldest = all.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        all.put(refused, its);
    }

    /** Returns until when a source is not copied; empty if it is. */
    public synchronized Optional<Instant> until(Path source, long size, Instant now) {
        Refused asked = new Refused(source, size);
        return all.entrySet().stream()
                .filter(it -> asked.restsWith(it.getKey()) && !it.getValue().isOver(now))
                .map(it -> it.getValue().until())
                .max(Comparator.naturalOrder());
    }
}
