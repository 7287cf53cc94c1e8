package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the server on which a call depends, or else the device or the file system, by names only, since a call on the
 * path could hang. Storage hosts that have a target or a subsystem for each volume are one server.
 */
final class MountPlaces {
    /** The time for which the mount table is not read again; a newer mount counts as part of what it stands on. */
    static final long MOMENT = Duration.ofSeconds(1).toNanos();

    /** The most targets whose hosts are kept; of one that was forgotten its own name counts. */
    private static final int MOST_TARGETS = 4096;

    /** The time for which sessions are not read again for the host of a target that nobody has noted. */
    private static final long LOOK = Duration.ofSeconds(10).toNanos();

    private final Table source;
    private final KernelThreads.Devices devices;
    private final Map<String, String> hosts = new LinkedHashMap<>();
    private List<MountEntry> table = List.of();
    private long readAt = System.nanoTime() - Duration.ofDays(1).toNanos();
    private long lookedAt = readAt;

    MountPlaces(Table source, KernelThreads.Devices devices) {
        this.source = source;
        this.devices = devices;
    }

    /** Notes at which host a target or a subsystem is. */
    synchronized void note(String target, String host) {
        hosts.remove(target);
        hosts.put(target, host);
        if (hosts.size() > MOST_TARGETS) {
            hosts.remove(hosts.keySet().iterator().next()); // the one that was noted first
        }
    }

    /**
     * Returns the server, the device or the file system, which is the same for all calls that depend on one. It throws
     * nothing that can be expected, since it is asked while others wait to be let in.
     *
     * @param notBefore the {@link System#nanoTime} at which the table may have been read at the earliest
     */
    synchronized Holder of(KernelCall call, long notBefore) {
        try {
            return call.server()
                    .map(Holder::server)
                    .or(() -> call.target().map(this::host))
                    .orElseGet(() -> of(call.subject(), notBefore));
        } catch (RuntimeException _) {
            return Holder.UNKNOWN; // such as when this process can open no more files
        }
    }

    private Holder of(String path, long notBefore) {
        Optional<MountEntry> mount = MountTable.holding(table(notBefore), path);
        return mount.flatMap(MountEntry::server)
                .map(Holder::server)
                .or(() -> devices.target(path, mount).map(this::host))
                .or(() -> devices.device(path, mount).map(it -> new Holder(Optional.empty(), it)))
                .or(() -> mount.map(it -> new Holder(Optional.empty(), "the file system " + it.device())))
                .orElse(Holder.UNKNOWN);
    }

    private Holder host(String target) {
        if (!hosts.containsKey(target) && System.nanoTime() - lookedAt >= LOOK) {
            lookedAt = System.nanoTime();
            devices.hosts().forEach((other, host) -> {
                if (!hosts.containsKey(other)) {
                    note(other, host);
                }
            });
        }
        return Optional.ofNullable(hosts.get(target))
                .map(Holder::server)
                .orElse(new Holder(Optional.of(Holder.UNNAMED), "the server of " + target));
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
     * Names whom calls depend on.
     *
     * @param server empty for what is of no server; never the name of a target, which may be that of a volume
     */
    record Holder(Optional<String> server, String words) {
        /** Stands for the host of a target of which only the name is known. */
        private static final String UNNAMED = "unknown";

        private static final Holder UNKNOWN = new Holder(Optional.empty(), "an unknown file system");

        private static Holder server(String name) {
            return new Holder(Optional.of(name), "the server " + name);
        }

        boolean isKnown() {
            return !equals(UNKNOWN);
        }
    }

    /** Reads the mount table, which never hangs. */
    @FunctionalInterface
    interface Table {
        List<MountEntry> read() throws IOException;
    }
}
