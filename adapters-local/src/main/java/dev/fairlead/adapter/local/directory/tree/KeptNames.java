package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.FolderVersion;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the names of a folder while it is the same, and reads them anew once anybody has added, removed or replaced
 * one.
 *
 * <p>A version that is younger than the clock's tick proves nothing, since the next change may leave it as it is, and
 * neither does any of a file system of another machine: then all names are read each time. Nor is anything kept of a
 * folder that was another one after the reading than before, or was not there: its disk may have gone and come back.
 */
public final class KeptNames {
    /** The longest time that anything is kept without another look at it, whatever its versions say. */
    public static final Duration LONGEST = Duration.ofMinutes(1);

    private final Path folder;
    private final Reading reading;
    private final InstantSource clock;
    private volatile Kept kept = new Kept(Optional.empty(), Instant.MIN, List.of());

    /** @param clock that of the machine, by which file systems note times */
    public KeptNames(Path folder, Reading reading, InstantSource clock) {
        this.folder = folder;
        this.reading = reading;
        this.clock = clock;
    }

    /** Reads the names of a folder, in their order; empty if the folder is not there. */
    @FunctionalInterface
    public interface Reading {
        Optional<List<String>> names() throws IOException;
    }

    private record Kept(Optional<FolderVersion> version, Instant when, List<String> names) {}

    /** Returns the names that are there now. */
    public List<String> now() throws IOException {
        Kept before = kept;
        Instant begun = clock.instant();
        Optional<FolderVersion> version = settled(folder, begun);
        if (version.isPresent() && version.equals(before.version()) && isYoung(before.when(), begun)) {
            return before.names();
        }
        Optional<List<String>> found = reading.names();
        List<String> names = List.copyOf(found.orElse(List.of()));
        boolean holds = found.isPresent() && version.equals(settled(folder, begun));
        kept = new Kept(holds ? version : Optional.empty(), begun, names);
        return names;
    }

    /**
     * Returns the version of a folder, before it is read and after; empty if it proves nothing later.
     *
     * @param begun a time before this call
     */
    public static Optional<FolderVersion> settled(Path folder, Instant begun) {
        try {
            return FolderVersion.of(folder).filter(it -> it.isSettled(begun));
        } catch (LinuxException _) {
            return Optional.empty(); // what is wrong with the folder is told by who reads it
        }
    }

    /** Returns whether what was kept at a time needs no other look for its age; if the clock was set back, it does. */
    public static boolean isYoung(Instant kept, Instant now) {
        return !now.isBefore(kept) && now.isBefore(kept.plus(LONGEST));
    }
}
