package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.tree.FreeSpace;
import dev.fairlead.adapter.local.pool.PromiseRecords.Sums;
import dev.fairlead.adapter.local.pool.kind.FoundKind;
import dev.fairlead.adapter.local.pool.kind.FoundKind.DiskSpace;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Knows what of a pool is free, and what is promised to its volumes and not used yet.
 *
 * <p>What can be promised more is (free − reserve + used by volumes) × overcommit − promised. With an overcommit of 1
 * this is free − reserve − what is promised and not used. The records are read at most once a second, and less often
 * where that takes long; what this process admits counts at once.
 */
final class PoolRoom implements Promises {
    private static final Duration FRESH = Duration.ofSeconds(1);

    /**
     * The time that a reading is used for, in times of what it took, so that readings take a tenth of the time at most.
     */
    private static final int REST = 10;

    /** The longest time that a reading is used for, however long it took. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final PoolSettings pool;
    private final Supplier<List<PoolSettings>> all;
    private final SystemDisk system;
    private final FoundKind kind;
    private final BaseFolderContext context;
    private final PromiseRecords records;
    private final Optional<GuestRecords> guests;
    private final InstantSource clock;

    /** The volumes and snapshots that were admitted since the last reading began, or are being made. */
    private final Map<String, Admitted> admitted = new HashMap<>();

    private Optional<Reading> last = Optional.empty();

    /** @param all the pools of this node that are known now */
    PoolRoom(
            PoolSettings pool,
            Supplier<List<PoolSettings>> all,
            SystemDisk system,
            FoundKind kind,
            BaseFolderContext context,
            InstantSource clock) {
        this.pool = pool;
        this.all = all;
        this.system = system;
        this.kind = kind;
        this.context = context;
        this.records = new PromiseRecords(context.layout(), kind::occupancy);
        this.guests = pool.hostpath().map(_ -> new GuestRecords(context.layout()));
        this.clock = clock;
    }

    /**
     * Tells what was there at one time.
     *
     * @param lasts the time that it is used for
     */
    private record Reading(Instant when, Duration lasts, long total, long free, long occupied, Sums sums) {
        /** Returns the same with less that is free, as what others have written since. */
        Reading withFree(long now) {
            return now >= free ? this : new Reading(when, lasts, total, now, occupied, sums);
        }
    }

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
        return system.shared(pool, all.get())
                .map(other -> "the file system that pool '" + other.name() + "' at " + other.path()
                        + " is on too, or in one btrfs or ZFS pool with it, and both would promise the same bytes; mount a disk of its own, or list one of"
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

    /**
     * Takes what was deleted out of the last reading, so that all other volumes, of which there may be thousands, are
     * not read again. What it has used is free with the next reading: its blocks go in the background.
     */
    @Override
    public synchronized void released(String id) {
        if (Optional.ofNullable(admitted.get(id)).filter(Admitted::running).isPresent()) {
            last = Optional.empty();
        } else {
            admitted.remove(id);
            last.ifPresent(it -> it.sums().remove(id));
        }
    }

    /** Returns whether a reading is still used; one from after now is not, since the clock was set back. */
    private static boolean isFresh(Reading reading, Instant now) {
        return !now.isBefore(reading.when()) && now.isBefore(reading.when().plus(reading.lasts()));
    }

    /**
     * Returns the time that a reading is used for; other nodes' volumes in a shared pool are not seen later than usual.
     */
    private Duration lasts(Duration took) {
        Duration rest = took.multipliedBy(REST);
        if (pool.shared() || rest.compareTo(FRESH) <= 0) return FRESH;
        return rest.compareTo(LONGEST) < 0 ? rest : LONGEST;
    }

    private Reading reading() throws IOException {
        Instant now = clock.instant();
        Path folder = context.base().nearest();
        if (!Files.isWritable(folder)) {
            throw new StorageException(new Failure.StorageReadOnly(
                    context.failures().connection().value(),
                    "pool '" + pool.name() + "' at " + pool.path()
                            + " cannot be written to, so nothing is promised in it; its file system is mounted read-only,"
                            + " by hand or by the kernel after an error of its disk"));
        }
        if (last.filter(it -> isFresh(it, now)).isEmpty()) {
            Sums sums = sums(folder); // before what is free: what is written in between counts as used twice
            Duration lasts = lasts(Duration.between(now, clock.instant()));
            DiskSpace disk = kind.space(folder);
            last = Optional.of(new Reading(now, lasts, disk.total(), disk.free(), disk.occupied(), sums));
            admitted.values().removeIf(it -> !it.running());
        }
        Reading reading = last.orElseThrow();
        // What others write beside the pool is seen within a second all the same; what volumes wrote counts twice then.
        return now.isBefore(reading.when().plus(FRESH)) ? reading : reading.withFree(FreeSpace.of(folder));
    }

    private Sums sums(Path folder) throws IOException {
        Sums own = records.read(folder);
        return guests.isPresent() ? guests.get().addedTo(own) : own;
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
