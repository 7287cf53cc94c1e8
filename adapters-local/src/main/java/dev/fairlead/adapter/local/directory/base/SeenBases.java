package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.domain.connection.ConnectionName;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what this process has seen of each base folder, over all versions of its connection, and so tells a base
 * whose storage is away from a new one. A base that gets another connection is new to that one.
 */
public final class SeenBases {
    private static final Logger LOG = LoggerFactory.getLogger(SeenBases.class);

    private final Map<Place, Seen> seen = new ConcurrentHashMap<>();

    boolean hasSeen(Place place) {
        return seen.containsKey(place);
    }

    /**
     * Returns a text that says what has been lost since the base was last seen; if nothing is lost, remembers these
     * signs.
     */
    Optional<String> lost(Place place, BaseFolderSigns now) {
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

    /** Returns whether the folder's device is needed, so that it is not read at each call. */
    private boolean isNews(Place place, BaseFolderSigns now) {
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

    /**
     * Remembers that the base was empty before this process laid it out, so it may have been an unmounted mount point.
     */
    void wasEmpty(Place place) {
        seen.computeIfPresent(place, (_, now) -> new Seen(now.signs, true, now.device));
    }

    /** Names a base folder of a connection. */
    record Place(ConnectionName connection, Path base) {}

    /**
     * @param wasEmpty whether this process laid out an empty folder
     * @param device the folder's device when signs of this base were first seen
     */
    private record Seen(BaseFolderSigns signs, boolean wasEmpty, Optional<FolderDevice> device) {
        Seen with(BaseFolderSigns now) {
            return new Seen(now, wasEmpty, device);
        }

        /**
         * Returns whether the folder that was laid out may have been an unmounted mount point, whichever process laid
         * it out: it was empty, and is now hidden by a mount, so another base may be mounted there.
         */
        boolean mayBeMountPointOf(Optional<FolderDevice> now) {
            boolean wasFoundEmpty =
                    signs.mark().filter(OwnerRecord::wasFoundEmpty).isPresent();
            return wasEmpty || (wasFoundEmpty && isHiddenBy(now));
        }

        private boolean isHiddenBy(Optional<FolderDevice> now) {
            return device.flatMap(was -> now.filter(was::isHiddenBy)).isPresent();
        }
    }
}
