package dev.fairlead.adapter.local.directory;

import dev.fairlead.domain.connection.ConnectionName;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process has seen of each base folder, over all versions of its connection: a base whose storage is away is
 * told by it from one that is new. A base that changed hands is new to its next connection.
 */
final class SeenBases {
    private static final Logger LOG = LoggerFactory.getLogger(SeenBases.class);

    private final Map<Place, Seen> seen = new ConcurrentHashMap<>();

    boolean hasSeen(Place place) {
        return seen.containsKey(place);
    }

    /** What is lost by these signs, in words; what is not lost is remembered. */
    Optional<String> lost(Place place, Signs now) {
        AtomicReference<Optional<String>> lost = new AtomicReference<>(Optional.empty());
        seen.compute(place, (_, before) -> {
            if (before != null && before.wasEmpty && now.isWholeAndAnotherThan(before.signs)) {
                warn(place);
                return new Seen(now, false);
            }
            lost.set((before == null ? now : before.signs).lostIn(now));
            return lost.get().isPresent() || now.areNone() ? before : new Seen(now, before != null && before.wasEmpty);
        });
        return lost.get();
    }

    private static void warn(Place place) {
        LOG.atWarn()
                .addKeyValue("connection", place.connection())
                .addKeyValue("base", place.base())
                .log("the base folder was empty and was laid out, and now another base of this connection is mounted "
                        + "there, which is used; the v, s and .fairlead that were made before are stray, below the "
                        + "mount point: remove them there by hand, and let fairlead.baseFolder be prepared");
    }

    /** Remembers that nothing was there before this process laid it out: it may have been a bare mount point. */
    void wasEmpty(Place place) {
        seen.computeIfPresent(place, (_, now) -> new Seen(now.signs, true));
    }

    /** A base folder of a connection. */
    record Place(ConnectionName connection, Path base) {}

    private record Seen(Signs signs, boolean wasEmpty) {}
}
