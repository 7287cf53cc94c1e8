package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.tree.TreeMeasure;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
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

    private final Optional<Capacity> room;
    private final Capacity size;
    private final long files;
    private final Function<String, Failure> failure;
    private final AtomicLong bytes;
    private final AtomicLong entries;
    private final AtomicBoolean passed = new AtomicBoolean();

    private CopyLimit(Optional<Capacity> room, Capacity size, long files, Function<String, Failure> failure) {
        this.room = room;
        this.size = size;
        this.files = files;
        this.failure = failure;
        this.bytes =
                new AtomicLong(room.map(it -> rounded(it.bytes(), MORE_BYTES)).orElse(Long.MAX_VALUE));
        this.entries = new AtomicLong(
                room.map(it -> MORE_ENTRIES + it.bytes() / LEAST_NAME).orElse(Long.MAX_VALUE));
    }

    /**
     * Returns the limit of a copy of a volume whose size is enforced.
     *
     * @param room what is promised for the copy
     * @param files the number of files, folders and links that its volume may have
     * @param failure makes of words on what was too much what the caller is told
     */
    public static CopyLimit firm(Capacity room, long files, Function<String, Failure> failure) {
        return new CopyLimit(Optional.of(room), room, rounded(files, MORE_FILES), failure);
    }

    /** Returns the limit of a copy of a volume that may hold more than its size. */
    public static CopyLimit advisory(Capacity size, Function<String, Failure> failure) {
        return new CopyLimit(Optional.empty(), size, Long.MAX_VALUE, failure);
    }

    /** Returns a little more, since file systems count by blocks, and some do not count what an inode holds. */
    private static long rounded(long amount, long more) {
        return amount > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : amount + amount / 64 + more;
    }

    /** Returns what is to be called for each entry of the source while that is measured, before the copy begins. */
    Runnable measuring(Runnable check) {
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
            bytes.set(rounded(twice(Math.max(size.bytes(), found.allocated())), MORE_BYTES));
        }
    }

    private static long twice(long amount) {
        return 2 * Math.min(amount, Long.MAX_VALUE / 4);
    }

    /**
     * Throws if so much is too much.
     *
     * @param made the number of files, folders and links
     * @param names the number of entries, of which a file may have several
     */
    void check(long copied, long made, long names) {
        if (copied > bytes.get()) {
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
