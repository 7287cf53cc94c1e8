package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Finds the server of a path, or else its file system, by its name only, since a call on the path could hang. */
final class MountPlaces {
    /** The time for which the mount table is not read again; a newer mount counts as part of what it stands on. */
    static final long MOMENT = Duration.ofSeconds(1).toNanos();

    private final Table source;
    private List<MountEntry> table = List.of();
    private long readAt = System.nanoTime() - Duration.ofDays(1).toNanos();

    MountPlaces(Table source) {
        this.source = source;
    }

    /**
     * Returns the server or the file system in words, which are the same for all paths of one.
     *
     * @param notBefore the {@link System#nanoTime} at which the table may have been read at the earliest
     */
    synchronized String of(String path, long notBefore) {
        return MountTable.holding(table(notBefore), path)
                .map(mount -> mount.server()
                        .map(server -> "the server " + server)
                        .orElse("the file system " + mount.device()))
                .orElse("an unknown file system");
    }

    private List<MountEntry> table(long notBefore) {
        if (notBefore - readAt >= 0) {
            readAt = System.nanoTime();
            try {
                table = source.read();
            } catch (IOException _) {
                table = List.of(); // without the table all calls count as on one file system
            }
        }
        return table;
    }

    /** Reads the mount table, which never hangs. */
    @FunctionalInterface
    interface Table {
        List<MountEntry> read() throws IOException;
    }
}
