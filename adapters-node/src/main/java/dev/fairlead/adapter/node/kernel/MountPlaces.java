package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
     * Returns the server or the file system, which is the same for all paths of one.
     *
     * @param notBefore the {@link System#nanoTime} at which the table may have been read at the earliest
     */
    synchronized Holder of(String path, long notBefore) {
        return MountTable.holding(table(notBefore), path)
                .map(mount -> new Holder(
                        mount.server(),
                        mount.server()
                                .map(server -> "the server " + server)
                                .orElse("the file system " + mount.device())))
                .orElse(Holder.UNKNOWN);
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

    /**
     * Names what a path is part of.
     *
     * @param server empty for what is no share
     */
    record Holder(Optional<String> server, String words) {
        private static final Holder UNKNOWN = new Holder(Optional.empty(), "an unknown file system");
    }

    /** Reads the mount table, which never hangs. */
    @FunctionalInterface
    interface Table {
        List<MountEntry> read() throws IOException;
    }
}
