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
        Optional<FolderDevice> device = isNews(place, now) ? FolderDevice.of(place.base()) : Optional.empty();
        AtomicReference<Optional<String>> lost = new AtomicReference<>(Optional.empty());
        seen.compute(place, (_, before) -> {
            if (before == null) {
                lost.set(now.lostIn(now));
                return lost.get().isPresent() || now.areNone() ? null : new Seen(now, false, device);
            }
            if (now.isWholeAndAnotherThan(before.signs) && before.mayBeMountPointOf(device)) {
                warn(place);
                return new Seen(now, false, device);
            }
            lost.set(before.signs.lostIn(now));
            return lost.get().isPresent() || now.areNone() ? before : before.with(now);
        });
        return lost.get();
    }

    /** Whether the folder's device matters; it is not asked for at each call. */
    private boolean isNews(Place place, Signs now) {
        Seen before = seen.get(place);
        return before == null ? !now.areNone() : now.isAnotherThan(before.signs);
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
        seen.computeIfPresent(place, (_, now) -> new Seen(now.signs, true, now.device));
    }

    /** A base folder of a connection. */
    record Place(ConnectionName connection, Path base) {}

    /**
     * @param wasEmpty whether this process laid out an empty folder
     * @param device as it was when these signs, or earlier ones of this base, were seen first
     */
    private record Seen(Signs signs, boolean wasEmpty, Optional<FolderDevice> device) {
        Seen with(Signs now) {
            return new Seen(now, wasEmpty, device);
        }

        /**
         * Whichever process laid it out: an empty folder that a mount hides now is no base that gave way to another.
         */
        boolean mayBeMountPointOf(Optional<FolderDevice> now) {
            boolean wasFoundEmpty = signs.mark().filter(Mark::wasFoundEmpty).isPresent();
            return wasEmpty || (wasFoundEmpty && isHiddenBy(now));
        }

        private boolean isHiddenBy(Optional<FolderDevice> now) {
            return device.flatMap(was -> now.filter(was::isHiddenBy)).isPresent();
        }
    }
}
