package dev.fairlead.bootstrap.folder;

import dev.fairlead.application.config.Problem;
import dev.fairlead.bootstrap.folder.FolderListing.Entry;
import dev.fairlead.bootstrap.folder.FolderListing.ReadFile;
import dev.fairlead.bootstrap.folder.FolderListing.Unreadable;
import dev.fairlead.domain.connection.ConnectionName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells a listener what has changed in the connections folder since it last looked.
 *
 * <p>Contents are compared, not times, so a file that is swapped, touched or written again with the same text is no
 * change. A file that was written a moment ago is not read yet: an editor or a copy may be half-way through, and half a
 * YAML file is often valid, with keys missing. Not for use by several threads.
 */
public final class ConnectionFolder {
    private final Path folder;
    private final ConnectionListener listener;
    private final InstantSource clock;
    private final Duration quiet;
    private final SortedMap<ConnectionName, Entry> seen = new TreeMap<>();
    /** Those whose last change the listener has failed at. */
    private final Set<ConnectionName> untold = new HashSet<>();

    private List<Problem> told = List.of();
    private boolean first = true;

    /** @param quiet how long a file must not have been written to before it is read */
    public ConnectionFolder(Path folder, ConnectionListener listener, InstantSource clock, Duration quiet) {
        this.folder = folder;
        this.listener = listener;
        this.clock = clock;
        this.quiet = quiet;
    }

    public Path path() {
        return folder;
    }

    /** Looks again; answers whether something was left for a look a moment later. */
    public boolean refresh() {
        FolderListing listing = FolderListing.of(folder);
        if (!listing.problems().equals(told)) {
            told = listing.problems();
            listener.folder(told);
        }
        if (!listing.complete()) {
            return false;
        }
        for (ConnectionName name : List.copyOf(seen.keySet())) {
            if (!listing.files().containsKey(name)) {
                seen.remove(name);
                untold.remove(name);
                listener.removed(name);
            }
        }
        boolean unsettled = false;
        List<Map.Entry<ConnectionName, Entry>> files = listing.files().entrySet().stream()
                .sorted(Comparator.comparing(it -> untold.contains(it.getKey()))) // failing again, it hides no other
                .toList();
        for (Map.Entry<ConnectionName, Entry> file : files) {
            unsettled |= look(file.getKey(), file.getValue());
        }
        first = false;
        listener.looked();
        return unsettled;
    }

    /** Lets even the first look leave files alone that were written a moment ago, for a reader that can wait. */
    public ConnectionFolder patient() {
        first = false;
        return this;
    }

    private boolean look(ConnectionName name, Entry now) {
        if (same(seen.get(name), now) && !untold.contains(name)) {
            return false;
        }
        if (!first && now instanceof ReadFile file && isFresh(file)) {
            return true;
        }
        seen.put(name, now);
        untold.add(name); // and stays so if the listener fails
        switch (now) {
            case ReadFile file -> listener.changed(name, file.bytes());
            case Unreadable(Problem problem) -> listener.unreadable(name, problem);
        }
        untold.remove(name);
        return false;
    }

    private static boolean same(@Nullable Entry before, Entry now) {
        return switch (now) {
            case ReadFile file -> before instanceof ReadFile earlier && earlier.holdsTheSameAs(file);
            case Unreadable unreadable -> unreadable.equals(before);
        };
    }

    /**
     * Returns whether the file was written a moment ago; not if its time is in the future, which comes from a wrong
     * clock.
     */
    private boolean isFresh(ReadFile file) {
        Duration age = Duration.between(file.modified(), clock.instant());
        return !age.isNegative() && age.compareTo(quiet) < 0;
    }
}
