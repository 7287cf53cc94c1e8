package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.tree.FreeSpace;
import dev.fairlead.adapter.local.pool.identity.PlaceInVolume;
import dev.fairlead.adapter.local.pool.kind.DiskQuestion;
import dev.fairlead.adapter.local.pool.kind.FoundKind;
import dev.fairlead.adapter.local.pool.kind.FoundKind.DiskSpace;
import dev.fairlead.adapter.local.pool.kind.SharedAnswer;
import dev.fairlead.adapter.local.pool.room.OpenPromises;
import dev.fairlead.adapter.local.pool.room.ReadingDuration;
import dev.fairlead.adapter.local.pool.room.Sums;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Knows what of a pool is free, and what is promised to its volumes and not used yet.
 *
 * <p>What can be promised more is (free − reserve + used by volumes) × overcommit − promised. With an overcommit of 1
 * this is free − reserve − what is promised and not used. The records are read at most once a second, and less often
 * where that takes long; what this process admits counts at once.
 *
 * <p>Only sums are made under the lock. The disk is read, and programs run, on threads that can be left behind, by one
 * call for all that wait; each call waits as long as it has time, and as the disk may be silent, at most.
 */
final class PoolRoom implements Promises {
    private final PoolSettings pool;
    private final Supplier<List<PoolSettings>> all;
    private final SystemDisk system;
    private final FoundKind kind;
    private final BaseFolderContext context;
    private final PromiseRecords records;
    private final Optional<GuestRecords> guests;
    private final InstantSource clock;
    private final DiskQuestion question;
    private final OpenPromises open = new OpenPromises();
    private Optional<Reading> last = Optional.empty();

    /** The reading that is being made. */
    private Optional<Look> look = Optional.empty();

    /** @param all the pools of this node that are known now */
    PoolRoom(
            PoolSettings pool,
            Supplier<List<PoolSettings>> all,
            SystemDisk system,
            FoundKind kind,
            BaseFolderContext context,
            InstantSource clock,
            DiskQuestion question) {
        this.pool = pool;
        this.all = all;
        this.system = system;
        this.kind = kind;
        this.context = context;
        this.records = new PromiseRecords(context.layout(), kind::occupancy, clock, !pool.shared());
        this.guests = pool.hostpath().map(_ -> new GuestRecords(context.layout()));
        this.clock = clock;
        this.question = question;
    }

    /**
     * Tells what was there at one time.
     *
     * @param until when it is used no more
     */
    private record Reading(Instant when, Instant until, long total, long free, long occupied, Sums sums) {
        /** Returns the same with less that is free, as what others have written since. */
        Reading withFree(long now) {
            return now >= free ? this : new Reading(when, until, total, now, occupied, sums);
        }

        /** Returns the same, which is not used for any further call. */
        Reading expired() {
            return new Reading(when, when, total, free, occupied, sums);
        }

        /** Returns whether it is still used; one from after now is not, since the clock was set back. */
        boolean isFresh(Instant now) {
            return !now.isBefore(when) && now.isBefore(until);
        }
    }

    /**
     * Holds a reading that is being made.
     *
     * @param begun whether somebody has asked
     * @param touched the ids of what this process may have changed since the one before began
     * @param outdated whether it serves those who wait for it only
     */
    private record Look(
            Instant when,
            Set<String> touched,
            SharedAnswer<Reading> answer,
            AtomicBoolean begun,
            AtomicBoolean outdated) {}

    /**
     * Tells what a pool's folder is at the moment.
     *
     * @param nearest the folder, or the nearest one above it that there is
     */
    private record FolderLook(Path nearest, long free) {}

    @Override
    public <T> T admit(String id, Capacity size, Work work, Making<T> making) throws IOException {
        Optional<String> barred = barred();
        if (barred.isPresent()) {
            throw context.failures()
                    .unavailable("pool '" + pool.name() + "' at " + pool.path() + " lies on " + barred.get());
        }
        Instant now = clock.instant();
        begin(id, size.bytes(), now, refreshed(work));
        boolean made = false;
        try {
            T result = making.run();
            made = true;
            return result;
        } finally {
            end(id, made);
        }
    }

    private synchronized void begin(String id, long bytes, Instant now, long free) {
        Reading reading = reading(now, free);
        long already = Math.max(reading.sums().promised(id), open.bytes(id));
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
        open.begin(id, Math.max(bytes, already));
    }

    /**
     * Returns why no volume is made where the pool lies now, which changes as disks are mounted; empty if it may be.
     */
    private Optional<String> barred() {
        return system.barred(pool, all.get(), context.failures());
    }

    /** Ends a promise. If nothing was made, it counts until the next call has looked whether any of it is there. */
    private synchronized void end(String id, boolean made) {
        open.end(id);
        if (!made) {
            lookAnew();
        }
    }

    @Override
    public synchronized void lookAnew() {
        records.lookAnew();
        last = last.map(Reading::expired);
        look.ifPresent(it -> it.outdated().set(true));
    }

    @Override
    public Room room(Work work) throws IOException {
        Instant now = clock.instant();
        long free = refreshed(work);
        boolean barred = barred().isPresent();
        synchronized (this) {
            Reading reading = reading(now, free);
            long available = barred ? 0 : available(reading);
            long largest = Math.min(available, Math.max(0, physical(reading)));
            return new Room(Capacity.ofBytes(available), Optional.of(Capacity.ofBytes(largest)));
        }
    }

    /**
     * Takes what was deleted out of the last reading, so that all other volumes, of which there may be thousands, are
     * not read again. What it has used is free with the next reading: its blocks go in the background.
     */
    @Override
    public synchronized void released(String id) {
        if (open.isRunning(id)) {
            lookAnew();
        } else {
            open.release(id);
            last.ifPresent(it -> it.sums().remove(id));
        }
    }

    /** Reads the pool if what was read last is too old, or waits for who does; returns what is free now. */
    private long refreshed(Work work) throws IOException {
        FolderLook seen = question.ask(pool.path(), work.left(), this::glance);
        Optional<Look> due = due();
        if (due.isPresent()) {
            SharedAnswer<Reading> answer = due.get().answer();
            boolean first = due.get().begun().compareAndSet(false, true);
            if (first) {
                begin(due.get(), seen.nearest());
            }
            try {
                var _ = answer.within(work.left());
            } catch (IOException e) { // what is read later is used, and so are its limits
                answer.afterwards(() -> records.restore(pool.path(), question, Duration.ZERO));
                throw e;
            }
            if (first) {
                records.restore(pool.path(), question, work.left());
            }
        }
        return seen.free();
    }

    private FolderLook glance() throws IOException {
        Path folder = context.base().nearest();
        if (!Files.isWritable(folder)) {
            throw new StorageException(new Failure.StorageReadOnly(
                    context.failures().connection().value(),
                    "pool '" + pool.name() + "' at " + pool.path()
                            + " cannot be written to, so nothing is promised in it; its file system is mounted read-only,"
                            + " by hand or by the kernel after an error of its disk"));
        }
        Optional<String> where = PlaceInVolume.OF_KERNEL.of(folder, pool.path());
        if (where.isPresent()) {
            throw new StorageException(new Failure.PoolInVolume(
                    context.failures().connection().value(),
                    "pool '" + pool.name() + "' at " + pool.path() + " is " + where.get()
                            + "; give it a folder beside all volumes"));
        }
        return new FolderLook(folder, FreeSpace.of(folder));
    }

    /** Returns the reading that has to be waited for; empty if the last one is still used. */
    private synchronized Optional<Look> due() {
        Instant now = clock.instant(); // not that of the call, which may have waited while others read
        if (last.filter(it -> it.isFresh(now)).isPresent()) {
            return Optional.empty();
        }
        if (look.isEmpty()) {
            look = Optional.of(new Look(
                    now,
                    open.beginReading(),
                    new SharedAnswer<>(question, pool.path() + " with its records"),
                    new AtomicBoolean(),
                    new AtomicBoolean()));
        }
        return look;
    }

    private void begin(Look begun, Path folder) throws IOException {
        try {
            begun.answer().ask(() -> read(begun, folder));
        } catch (IOException | RuntimeException | Error e) {
            records.lookAnew(); // which takes the place of what it would have looked at
            ended();
            throw e;
        }
    }

    private synchronized void ended() {
        look = Optional.empty();
    }

    private Reading read(Look begun, Path folder) throws IOException {
        try {
            // before what is free: what is written in between counts as used twice
            Sums sums = sums(folder, begun.touched());
            Instant until = ReadingDuration.end(begun.when(), clock.instant(), pool.shared());
            DiskSpace disk = kind.space(folder);
            return landed(begun, new Reading(begun.when(), until, disk.total(), disk.free(), disk.occupied(), sums));
        } finally {
            ended();
        }
    }

    private synchronized Reading landed(Look begun, Reading reading) {
        open.endReading(reading.sums()::remove);
        last = Optional.of(begun.outdated().get() ? reading.expired() : reading);
        return reading;
    }

    /**
     * Returns what was read last, with what is free now: what others write beside the pool is seen within a second
     * whatever a reading lasts, and what volumes wrote counts twice then.
     */
    private Reading reading(Instant now, long free) {
        Reading reading = last.orElseThrow();
        return now.isBefore(reading.when().plus(ReadingDuration.FRESH)) ? reading : reading.withFree(free);
    }

    private Sums sums(Path folder, Set<String> touched) throws IOException {
        Sums own = records.read(folder, touched);
        return guests.isPresent() ? guests.get().addedTo(own) : own;
    }

    /** Returns the bytes that volumes have or could have, before any overcommit. */
    private long physical(Reading reading) {
        long used = Math.min(reading.sums().used(), reading.occupied());
        return reading.free() - pool.reserve().of(reading.total()) + used;
    }

    private long available(Reading reading) {
        double most = physical(reading) * pool.overcommit();
        return Math.max(0, (long) most - reading.sums().promised() - open.beyond(reading.sums()::promised));
    }
}
