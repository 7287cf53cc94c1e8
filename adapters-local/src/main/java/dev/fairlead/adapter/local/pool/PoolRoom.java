package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.tree.FreeSpace;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows what of a pool is free, and what is promised to its volumes and not used yet.
 *
 * <p>What can be promised more is (free − reserve + used by volumes) × overcommit − promised. With an overcommit of 1
 * this is free − reserve − what is promised and not used. The records are read at most once a second; what this process
 * admits counts at once.
 */
final class PoolRoom implements Promises {
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final PoolSettings pool;
    private final List<PoolSettings> all;
    private final SystemDisk system;
    private final BaseFolderContext context;
    private final PromiseRecords records;
    private final InstantSource clock;

    /** The volumes and snapshots that were admitted since the last reading began, or are being made. */
    private final Map<String, Admitted> admitted = new HashMap<>();

    private Optional<Reading> last = Optional.empty();

    /** @param all the pools of the connection */
    PoolRoom(
            PoolSettings pool,
            List<PoolSettings> all,
            SystemDisk system,
            BaseFolderContext context,
            InstantSource clock) {
        this.pool = pool;
        this.all = List.copyOf(all);
        this.system = system;
        this.context = context;
        this.records = new PromiseRecords(context.layout(), pool.kind());
        this.clock = clock;
    }

    /** Tells what was there at one time. */
    private record Reading(Instant when, long total, long free, long occupied, PromiseRecords.Sums sums) {}

    /** @param running whether it is being made; what is made counts until the next reading */
    private record Admitted(long bytes, boolean running) {}

    @Override
    public <T> T admit(String id, Capacity size, Making<T> making) throws IOException {
        begin(id, size.bytes());
        boolean made = false;
        try {
            T result = making.run();
            made = true;
            return result;
        } finally {
            end(id, made);
        }
    }

    private synchronized void begin(String id, long bytes) throws IOException {
        Optional<String> barred = barred();
        if (barred.isPresent()) {
            throw context.failures()
                    .unavailable("pool '" + pool.name() + "' at " + pool.path() + " lies on " + barred.get());
        }
        Reading reading = reading();
        long already = Math.max(reading.sums().promised(id), bytes(id));
        long more = bytes - already;
        if (more > available(reading)) {
            throw new StorageException(new Failure.OutOfSpace(
                    context.failures().connection().value(),
                    "pool '" + pool.name() + "' at " + pool.path() + " can promise " + available(reading)
                            + " bytes more, and " + more + " are asked for; " + reading.free() + " of "
                            + reading.total() + " bytes are free, "
                            + reading.sums().promised()
                            + " are promised to its volumes and snapshots"));
        }
        admitted.put(id, new Admitted(Math.max(bytes, already), true));
    }

    /**
     * Returns why no volume is made where the pool lies now, which changes as disks are mounted; empty if it may be.
     */
    private Optional<String> barred() {
        if (!pool.sharesSystem() && system.holds(pool.path())) {
            return Optional.of("the operating system's file system, which its systemDisk: refuse forbids: its disk is"
                    + " not mounted, or there is none; mount it");
        }
        return system.shared(pool, all)
                .map(other -> "the file system that pool '" + other.name() + "' at " + other.path()
                        + " is on too, and both would promise the same bytes; mount a disk of its own, or list one of"
                        + " them only");
    }

    private long bytes(String id) {
        return Optional.ofNullable(admitted.get(id)).map(Admitted::bytes).orElse(0L);
    }

    private synchronized void end(String id, boolean made) {
        if (made) {
            admitted.computeIfPresent(id, (_, it) -> new Admitted(it.bytes(), false));
        } else {
            admitted.remove(id);
            last = Optional.empty(); // whether something was made shows the next reading
        }
    }

    @Override
    public synchronized Room room() throws IOException {
        Reading reading = reading();
        long available = barred().isPresent() ? 0 : available(reading);
        long largest = Math.min(available, Math.max(0, physical(reading)));
        return new Room(Capacity.ofBytes(available), Optional.of(Capacity.ofBytes(largest)));
    }

    @Override
    public synchronized void released() {
        last = Optional.empty();
    }

    private Reading reading() throws IOException {
        Instant now = clock.instant();
        if (last.filter(it -> now.isBefore(it.when().plus(FRESH))).isEmpty()) {
            PromiseRecords.Sums sums =
                    records.read(); // before what is free: what is written in between counts as used twice
            Path folder = context.base().nearest();
            File disk = folder.toFile();
            // Not what is kept for the administrator or for metadata: that is neither free nor used by volumes.
            long occupied = Math.max(0, disk.getTotalSpace() - disk.getFreeSpace());
            last = Optional.of(new Reading(now, disk.getTotalSpace(), FreeSpace.of(folder), occupied, sums));
            admitted.values().removeIf(it -> !it.running());
        }
        return last.orElseThrow();
    }

    /** Returns the bytes that volumes have or could have, before any overcommit. */
    private long physical(Reading reading) {
        long used = Math.min(reading.sums().used(), reading.occupied());
        return reading.free() - pool.reserve().of(reading.total()) + used;
    }

    private long available(Reading reading) {
        long unrecorded = admitted.entrySet().stream()
                .mapToLong(
                        it -> Math.max(0, it.getValue().bytes() - reading.sums().promised(it.getKey())))
                .sum();
        double most = physical(reading) * pool.overcommit();
        return Math.max(0, (long) most - reading.sums().promised() - unrecorded);
    }
}
