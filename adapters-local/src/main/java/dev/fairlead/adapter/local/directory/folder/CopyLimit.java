package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.tree.TreeMeasure;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Ends one copy that takes more than it may. Whoever writes to a volume while it is copied can write ahead of the copy
 * and delete behind it, so that the copy takes more than the volume ever holds, and never ends.
 */
public final class CopyLimit {
    /** The entries by which any folder may grow while it is copied. */
    private static final long MORE_ENTRIES = 1_000_000;

    /** The bytes that the name of an entry takes at least. */
    private static final int LEAST_NAME = 12;

    private static final long MORE_BYTES = 1 << 20;
    private static final long MORE_FILES = 1_000;

    /** The bytes of content that a file system may keep in one by compression. */
    private static final int COMPRESSED = 64;

    private final Optional<Capacity> room;
    private final Capacity size;
    private final long files;
    private final Function<String, Failure> failure;
    private final Disk disk;
    private final AtomicLong bytes;

    /** The bytes that may still be let through of holes that a file system does not tell. */
    private final AtomicLong holes;

    private final AtomicLong read = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong entries;
    private final AtomicBoolean passed = new AtomicBoolean();

    /**
     * Holds what a file system has, in bytes; zero and below if it does not say.
     *
     * @param total the size
     */
    public record Disk(long total, long used) {
        /** Returns that of a folder. */
        public static Disk of(Path folder) throws IOException {
            FileStore store = Files.getFileStore(folder);
            return new Disk(store.getTotalSpace(), store.getTotalSpace() - store.getUnallocatedSpace());
        }
    }

    private CopyLimit(
            Optional<Capacity> room, Capacity size, long files, Disk disk, Function<String, Failure> failure) {
        this.room = room;
        this.disk = disk;
        this.size = size;
        this.files = files;
        this.failure = failure;
        this.holes = new AtomicLong(disk.total() > 0 ? (disk.total() - disk.used()) / 2 : 0);
        this.bytes =
                new AtomicLong(room.map(it -> rounded(it.bytes(), MORE_BYTES)).orElse(Long.MAX_VALUE));
        this.entries = new AtomicLong(disk.used() > 0 ? MORE_ENTRIES + disk.used() / LEAST_NAME : Long.MAX_VALUE);
    }

    /**
     * Returns the limit of a copy of a volume whose size is enforced.
     *
     * @param room what is promised for the copy
     * @param files the number of files, folders and links that its volume may have
     * @param failure makes of words on what was too much what the caller is told
     */
    public static CopyLimit firm(Capacity room, long files, Function<String, Failure> failure) {
        Disk its = new Disk(Long.MAX_VALUE, Math.max(1, room.bytes()));
        return new CopyLimit(Optional.of(room), room, rounded(files, MORE_FILES), its, failure);
    }

    /**
     * Returns the limit of a copy of a volume that may hold more than its size.
     *
     * @param size zero if it is not known
     * @param disk on which the volume is, which has no more names than it has room for
     */
    public static CopyLimit advisory(Capacity size, Disk disk, Function<String, Failure> failure) {
        return new CopyLimit(Optional.empty(), size, Long.MAX_VALUE, disk, failure);
    }

    /** Returns a little more, since file systems count by blocks, and some do not count what an inode holds. */
    private static long rounded(long amount, long more) {
        return amount > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : amount + amount / 64 + more;
    }

    /** Returns what is to be called for each entry of the source while that is measured, before the copy begins. */
    public Runnable measuring(Runnable check) {
        AtomicLong seen = new AtomicLong();
        return () -> {
            check.run();
            check(0, 0, seen.incrementAndGet());
        };
    }

    /** Begins the copy of a source that holds this. */
    void begin(TreeMeasure.Amount found) {
        entries.set(twice(found.entries()) + MORE_ENTRIES);
        if (room.isEmpty()) {
            long held = Math.max(size.bytes(), found.allocated());
            bytes.set(rounded(twice(held), MORE_BYTES));
            if (disk.total() > 0) {
                read.set(Math.min(disk.total(), Long.MAX_VALUE / 2)
                        + COMPRESSED * Math.min(held, Long.MAX_VALUE / 2 / COMPRESSED));
            }
        }
    }

    private static long twice(long amount) {
        return 2 * Math.min(amount, Long.MAX_VALUE / 4);
    }

    /**
     * Lets the copy of a volume without a firm size take so much more, which is holes that are written, but in all no
     * more than half of what is free.
     */
    void letThrough(long written) {
        if (room.isEmpty()) {
            long before = holes.getAndUpdate(it -> Math.max(0, it - written));
            long more = Math.min(before, written);
            bytes.updateAndGet(it -> it > Long.MAX_VALUE - more ? Long.MAX_VALUE : it + more);
        }
    }

    /**
     * Throws if so many bytes of content are too many, whatever they take: a file system that does not tell holes lets
     * files without content be read for ever.
     */
    void checkRead(long content) {
        if (content > read.get()) {
            throw outgrown(read.get() + " bytes of content");
        }
    }

    /**
     * Throws if so much is too much.
     *
     * @param taken the bytes of blocks
     * @param made the number of files, folders and links
     * @param names the number of entries, of which a file may have several
     */
    void check(long taken, long made, long names) {
        if (taken > bytes.get()) {
            throw outgrown(bytes.get() + " bytes");
        }
        if (made > files) {
            throw outgrown(files + " files");
        }
        if (names > entries.get()) {
            throw outgrown(entries.get() + " entries");
        }
    }

    private StorageException outgrown(String most) {
        passed.set(true);
        return new StorageException(failure.apply("more than " + most));
    }

    /** Returns whether it has ended its copy. */
    public boolean isPassed() {
        return passed.get();
    }
}
