package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Measures a folder, without following links or entering other mounts. Its need of memory and descriptors does not grow
 * with the folder: the names still to come are kept in a file once they are many.
 */
public final class TreeMeasure {
    /** The entry after which all folders of a folder have been seen. */
    private static final byte[] END = {};

    private final FileCalls calls;
    private final Descent way;
    private final SpillingStack names;
    private final Runnable check;
    private final AtomicReference<TreeSize> size = new AtomicReference<>(TreeSize.NOTHING);
    private final AtomicLong content = new AtomicLong();
    private final AtomicLong allocated = new AtomicLong();
    private final AtomicLong entries = new AtomicLong();
    private final AtomicBoolean unfinished = new AtomicBoolean();

    private TreeMeasure(FileCalls calls, Descent way, SpillingStack names, Runnable check) {
        this.calls = calls;
        this.way = way;
        this.names = names;
        this.check = check;
    }

    /**
     * Returns the number of entries and the sum of the lengths of all files.
     *
     * @param scratch a folder on storage, for a file of names if there are many
     * @param check called for each entry; ends the measurement by an exception
     */
    public static TreeSize of(Path tree, Path scratch, Runnable check) throws IOException {
        return measured(tree, scratch, check).size.get();
    }

    /** Returns what a copy of a folder is to have: the number of its entries, and the bytes. */
    public static Amount amount(Path tree, Path scratch, Runnable check) throws IOException {
        TreeMeasure measure = measured(tree, scratch, check);
        return new Amount(measure.size.get().entries(), measure.content.get(), measure.allocated.get());
    }

    /**
     * Holds how much there is in a folder. A file of several names counts its share for each name below the folder, so
     * it counts once if all its names are there, and no list of such files is needed.
     *
     * @param content the sum of the lengths of all files, in bytes
     * @param allocated the sum of the blocks of files, without holes, and of folders and links, in bytes: what a copy
     *     takes for names, long links and attributes, its source takes as well
     */
    public record Amount(long entries, long content, long allocated) {}

    /** Returns what two folders have in common if one is a copy of the other, whatever the order of their entries. */
    public static Shape shape(Path tree, Path scratch, Runnable check) throws IOException {
        TreeMeasure measure = measured(tree, scratch, check);
        return new Shape(measure.size.get(), measure.entries.get());
    }

    /**
     * Returns whether a copy lacks what a copying program does last: to give each folder the time that the source's
     * folder has. A folder that has the time of its last new entry, which is not before it was made, was to get more,
     * or nobody gave it another. On a file system that does not say when a folder was made this is never so.
     */
    public static boolean isUnfinished(Path copy, Path scratch, Runnable check) throws IOException {
        return measured(copy, scratch, check).unfinished.get();
    }

    /** @param entries a sum of hashes of the names, types and lengths of all entries */
    public record Shape(TreeSize size, long entries) {}

    private static TreeMeasure measured(Path tree, Path scratch, Runnable check) throws IOException {
        try (FileCalls calls = new FileCalls();
                Descent way = new Descent(calls, tree, scratch);
                SpillingStack names = new SpillingStack(scratch)) {
            TreeMeasure measure = new TreeMeasure(calls, way, names, check);
            measure.run();
            return measure;
        }
    }

    private void run() throws IOException {
        FileStat root = calls.stat(way.folder());
        unfinished.set(isFilled(root));
        add(allocated, root.allocated());
        look();
        while (!names.isEmpty()) {
            byte[] name = names.pop();
            if (name.length == 0) {
                calls.closeFile(way.leave());
            } else if (enter(name)) {
                names.push(END);
                look();
            }
        }
    }

    private void look() throws IOException {
        for (List<byte[]> some = calls.nextNames(way.folder()); !some.isEmpty(); some = calls.nextNames(way.folder())) {
            for (byte[] name : some) {
                check.run();
                look(name);
            }
        }
    }

    private void look(byte[] name) throws IOException {
        try {
            FileStat stat = calls.stat(way.folder(), name);
            if (stat.is(FileStat.Type.SOCKET)) {
                return;
            }
            boolean counts = stat.is(FileStat.Type.FILE);
            size.updateAndGet(sum -> sum.and(counts ? stat.size() : 0));
            add(content, counts ? share(stat.size(), stat) : 0);
            entries.addAndGet(hash(name, stat, counts));
            if (!stat.is(FileStat.Type.FOLDER)) {
                add(allocated, share(stat.allocated(), stat));
            } else if (way.holds(stat)) {
                add(allocated, stat.allocated());
                names.push(name);
                unfinished.compareAndSet(false, isFilled(stat));
            }
        } catch (LinuxException e) {
            passOver(e);
        }
    }

    /** Adds to a sum that stays at the largest number, since a file without blocks may have almost that length. */
    private static void add(AtomicLong sum, long more) {
        sum.updateAndGet(it -> it > Long.MAX_VALUE - more ? Long.MAX_VALUE : it + more);
    }

    private static long share(long bytes, FileStat file) {
        return Math.ceilDiv(bytes, Math.max(1, file.links()));
    }

    /** Returns whether a folder's time is that of its last entry, and not one that it was given. */
    private static boolean isFilled(FileStat folder) {
        return folder.born() != 0 && folder.seconds() * 1_000_000_000 + folder.nanos() >= folder.born();
    }

    private static long hash(byte[] name, FileStat stat, boolean sized) {
        long mixed =
                31L * Arrays.hashCode(name) + (stat.mode() & ~07777) + 0x9e3779b97f4a7c15L * (sized ? stat.size() : 1);
        mixed = (mixed ^ (mixed >>> 31)) * 0xbf58476d1ce4e5b9L;
        return mixed ^ (mixed >>> 29);
    }

    private boolean enter(byte[] name) throws IOException {
        try {
            return way.enter(name);
        } catch (LinuxException e) {
            passOver(e);
            return false;
        }
    }

    /**
     * Ignores the error of an entry that vanished or became something else meanwhile, which does not count; throws any
     * other.
     */
    private static void passOver(LinuxException e) throws LinuxException {
        switch (e.errno()) {
            case Errno.ENOENT, Errno.ELOOP, Errno.ENOTDIR -> {}
            default -> throw e;
        }
    }
}
