package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.settings.SeenBasesSettings;
import dev.fairlead.domain.connection.ConnectionName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what this process and earlier ones have seen of each base folder, over all versions of its connection, and
 * so tells a base whose storage is away from a new one. A base that gets another connection is new to that one.
 *
 * <p>What earlier ones have seen is read until this one has seen the base itself.
 */
public final class SeenBases {
    private static final Logger LOG = LoggerFactory.getLogger(SeenBases.class);

    /** Stands for the mark of a folder that another program fills. */
    private static final String MARKED = "marked";

    private final Map<Place, SeenBase> seen = new ConcurrentHashMap<>();
    private final Set<Place> kept = ConcurrentHashMap.newKeySet();
    private final SeenBaseFiles files;

    public SeenBases(SeenBasesSettings settings) {
        this.files = new SeenBaseFiles(settings);
    }

    boolean hasSeen(Place place) throws IOException {
        return seen.containsKey(place) || files.read(place).isPresent();
    }

    /** Returns what an operator does who has emptied, replaced or removed a base for good. */
    String remedy(Place place) {
        return files.file(place).map(file -> "remove " + file + " and ").orElse("") + "restart the driver";
    }

    /**
     * Returns a text that says what has been lost since the base was last seen; if nothing is lost, remembers these
     * signs.
     */
    Optional<String> lost(Place place, BaseFolderSigns now) throws IOException {
        Optional<SeenBase> before = Optional.ofNullable(seen.get(place));
        if (before.isPresent() && before.get().signs().equals(now) && kept.contains(place)) {
            return Optional.empty(); // as nearly always
        }
        Optional<SeenBase> earlier = before.isPresent() ? before : files.read(place);
        Optional<FolderDevice> device = isNews(before, now) ? FolderDevice.of(place.base()) : Optional.empty();
        AtomicReference<Optional<String>> lost = new AtomicReference<>(Optional.empty());
        Optional<SeenBase> after = Optional.ofNullable(seen.compute(place, (_, known) -> {
            Optional<SeenBase> last = Optional.ofNullable(known).or(() -> earlier);
            if (last.filter(it -> now.isWholeAndAnotherThan(it.signs()) && it.mayBeMountPointOf(device))
                    .isPresent()) {
                warn(place);
                return new SeenBase(now, false, device);
            }
            lost.set(last.map(SeenBase::signs).orElse(now).lostIn(now));
            if (lost.get().isPresent() || now.areNone()) {
                return known;
            }
            if (known == null) {
                return new SeenBase(now, false, device);
            }
            return known.signs().equals(now) ? known : known.with(now);
        }));
        if (after.isPresent() && lost.get().isEmpty() && !(after.equals(before) && kept.contains(place))) {
            keep(place);
        }
        return lost.get();
    }

    /**
     * Returns whether a folder that another program fills has lost what was seen there; if nothing is lost, remembers
     * what is there.
     *
     * @param marked whether Fairlead's mark is there, which explains that it is empty
     */
    public boolean hasLost(ConnectionName connection, Path folder, boolean marked, boolean filled) throws IOException {
        Set<String> mark = marked ? Set.of(MARKED) : Set.of();
        BaseFolderSigns now = new BaseFolderSigns(mark, List.of(), Optional.empty(), marked || filled);
        return lost(new Place(connection, folder), now).isPresent();
    }

    /** Keeps what is known of a base for later processes; what could not be kept is tried again at the next look. */
    private void keep(Place place) {
        if (files.keep(place, () -> Optional.ofNullable(seen.get(place)))) {
            kept.add(place);
        } else {
            kept.remove(place);
        }
    }

    /** Returns whether the folder's device is needed, so that it is not read at each call. */
    private static boolean isNews(Optional<SeenBase> before, BaseFolderSigns now) {
        return before.map(it -> now.isAnotherThan(it.signs())).orElse(!now.areNone());
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
        seen.computeIfPresent(place, (_, now) -> new SeenBase(now.signs(), true, now.device()));
    }

    /** Names a base folder of a connection. */
    record Place(ConnectionName connection, Path base) {}
}
