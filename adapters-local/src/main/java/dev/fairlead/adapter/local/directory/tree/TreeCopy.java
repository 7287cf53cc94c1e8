package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileAttributes;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies what is in one folder into another, empty one, with owners, modes, times, extended attributes, links and
 * holes.
 *
 * <p>The source may be in use: what vanishes meanwhile is left out, and a folder that is replaced by a symbolic link
 * cannot lead the copy out of the volume, since every step goes by open folders and follows no link. What is mounted
 * below the source is not part of it. Sockets are left out, since they mean nothing without their process; what this
 * process may not copy (a device node, an owner) fails the whole copy.
 *
 * <p>Its need of memory and descriptors does not grow with the tree, be it deep, wide or full of files with several
 * names: the names still to be copied are kept on the file system.
 */
public final class TreeCopy {
    /** The entry after which all folders of a folder have been copied. */
    private static final byte[] END = {};

    private static final int ATTEMPTS = 3;

    /** The bytes that an inode may hold beside what is counted of a file. */
    private static final int INODE = 512;

    /** The least that a name takes in its folder beside its letters. */
    private static final int NAME = 8;

    private final FileCalls calls;
    private final FileAttributes attributes;
    private final FileCopy files;
    private final LinkedFiles linked;
    private final Descent from;
    private final Descent to;
    private final SpillingStack names;
    private final Progress progress;
    private final AtomicReference<TreeSize> done = new AtomicReference<>(TreeSize.NOTHING);

    private TreeCopy(
            FileCalls calls,
            FileAttributes attributes,
            FileCopy files,
            LinkedFiles linked,
            Descent from,
            Descent to,
            SpillingStack names,
            Progress progress) {
        this.calls = calls;
        this.attributes = attributes;
        this.files = files;
        this.linked = linked;
        this.from = from;
        this.to = to;
        this.names = names;
        this.progress = progress;
    }

    /**
     * Copies a tree and returns the size of what was copied.
     *
     * @param scratch a folder on the file system of the target for what may be too large for memory; nothing is left
     *     there
     */
    public static TreeSize copy(Path source, Path target, Path scratch, Progress progress) throws IOException {
        try (FileCalls calls = new FileCalls();
                FileAttributes attributes = new FileAttributes();
                FileCopy files = new FileCopy(calls, progress);
                LinkedFiles linked = new LinkedFiles(calls, scratch.resolve(target.getFileName() + ".links"));
                Descent from = new Descent(calls, source, scratch);
                Descent to = new Descent(calls, target, scratch);
                SpillingStack names = new SpillingStack(scratch)) {
            TreeCopy copy = new TreeCopy(calls, attributes, files, linked, from, to, names, progress);
            copy.run();
            return copy.done.get();
        }
    }

    /** Copies each folder's files while it is listed, and then its folders, of which only the names are kept. */
    private void run() throws IOException {
        copyNames();
        while (!names.isEmpty()) {
            byte[] name = names.pop();
            if (name.length == 0) {
                leave();
            } else if (copy(name, true)) {
                names.push(END);
                copyNames();
            }
        }
        copyAttributes(from.folder(), to.folder());
    }

    private void copyAttributes(int source, int target) throws IOException {
        long extended = beyondInode(attributes.copy(source, calls.stat(source), target));
        progress.took(Math.min(extended, extended == 0 ? 0 : calls.stat(target).allocated()));
    }

    private void copyNames() throws IOException {
        long letters = 0;
        long told = 0;
        for (List<byte[]> some = calls.nextNames(from.folder());
                !some.isEmpty();
                some = calls.nextNames(from.folder())) {
            for (byte[] name : some) {
                copy(name, false);
                letters += NAME + name.length;
            }
            long taken =
                    letters > INODE ? Math.min(letters, calls.stat(to.folder()).allocated()) : 0;
            progress.took(taken - told);
            told = taken;
            files.report(0);
        }
    }

    /**
     * Goes up before a folder gets its attributes, since with those of the source it may no longer let everybody up.
     */
    private void leave() throws IOException {
        int source = from.leave();
        try {
            int target = to.leave();
            try {
                copyAttributes(source, target);
            } finally {
                calls.closeFile(target);
            }
        } finally {
            calls.closeFile(source);
        }
    }

    /**
     * Copies one entry; one that vanishes or becomes something else meanwhile is tried again, and in the end left out.
     *
     * @param enter whether a folder is entered now, rather than remembered for later
     * @return whether a folder was entered
     */
    private boolean copy(byte[] name, boolean enter) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return copyAsItIs(name, enter);
            } catch (LinuxException e) {
                switch (e.errno()) {
                    case Errno.ENOENT, Errno.ELOOP, Errno.ENOTDIR -> {}
                    default -> throw new IOException("'" + show(name) + "' in the source: " + e.getMessage(), e);
                }
            }
        }
        return false;
    }

    private boolean copyAsItIs(byte[] name, boolean enter) throws IOException {
        FileStat stat = calls.stat(from.folder(), name);
        if (stat.is(FileStat.Type.SOCKET)) {
            return false;
        }
        if (stat.is(FileStat.Type.FOLDER)) {
            if (enter) {
                return enter(name, stat);
            }
            names.push(name);
        } else if (stat.links() == 1) {
            copyOther(name, stat);
        } else if (linked.link(stat, to.folder(), name)) {
            FileStat copy = calls.stat(to.folder(), name);
            count(copy.is(FileStat.Type.FILE) ? copy.size() : 0, false);
        } else {
            Optional<FileStat> copied = copyOther(name, stat);
            if (copied.isPresent()) {
                linked.remember(copied.get(), to.folder(), name);
            }
        }
        return false;
    }

    private boolean enter(byte[] name, FileStat stat) throws IOException {
        boolean entered = from.holds(stat) && from.enter(name);
        try {
            calls.makeFolder(to.folder(), name, entered ? 0700 : stat.permissions());
            count(0, true);
            return entered && to.enter(name);
        } catch (LinuxException e) {
            throw new IOException("copying folder '" + show(name) + "': " + e.getMessage(), e); // the target failed
        }
    }

    /** Copies anything but a folder and returns what was copied; empty if that cannot be told. */
    private Optional<FileStat> copyOther(byte[] name, FileStat stat) throws IOException {
        if (stat.is(FileStat.Type.FILE)) {
            return copyFile(name);
        }
        if (stat.is(FileStat.Type.LINK)) {
            byte[] where = calls.readLink(from.folder(), name);
            calls.symlink(where, to.folder(), name);
            progress.took(Math.min(
                    FileCopy.blocks(where.length), calls.stat(to.folder(), name).allocated()));
        } else {
            calls.makeNode(to.folder(), name, stat.mode(), stat.device());
        }
        attributes.copy(stat, to.folder(), name);
        count(0, true);
        return stat.links() > 1 && isStill(stat, name) ? Optional.of(stat) : Optional.empty();
    }

    /** Returns whether a name is that of the same entry as when it was looked at; false if that cannot be told. */
    private boolean isStill(FileStat stat, byte[] name) {
        try {
            return calls.stat(from.folder(), name).identity().equals(stat.identity());
        } catch (LinuxException _) {
            return false;
        }
    }

    /**
     * Copies the file that has the name now, which may be another than the one that was looked at, and returns that.
     */
    private Optional<FileStat> copyFile(byte[] name) throws IOException {
        int source = calls.openFile(from.folder(), name);
        try {
            FileStat stat = calls.stat(source);
            if (!stat.is(FileStat.Type.FILE)) {
                return Optional.empty(); // it was replaced meanwhile, and counts as vanished
            }
            int target = calls.createFile(to.folder(), name);
            try {
                boolean shared = files.copy(source, stat, target);
                long extended = attributes.copy(source, stat, target);
                FileStat copy = calls.stat(target);
                if (shared) {
                    files.takeAll(copy);
                } else {
                    files.take(copy, beyondInode(extended));
                }
                count(copy.size(), true); // where blocks are shared, what was appended meanwhile came too
            } finally {
                calls.closeFile(target);
            }
            return Optional.of(stat);
        } finally {
            calls.closeFile(source);
        }
    }

    private void count(long size, boolean isNew) {
        progress.made(isNew);
        files.report(0);
        done.updateAndGet(sum -> sum.and(size));
    }

    /** Returns what attributes take if they take blocks of their own. */
    private static long beyondInode(long bytes) {
        return bytes > INODE ? FileCopy.blocks(bytes) : 0;
    }

    /** Returns the entry's present path, as the kernel knows it; only the name if the path cannot be read. */
    private String show(byte[] name) {
        String last = new String(name, StandardCharsets.UTF_8);
        String whole;
        try {
            whole = Files.readSymbolicLink(Path.of("/proc/self/fd/" + from.folder())) + "/" + last;
        } catch (IOException _) {
            whole = last;
        }
        return whole.replaceAll("\\p{Cntrl}", "?");
    }

    /**
     * Gets, after each entry and within large files, the number of bytes copied so far; may end the copy by an
     * exception.
     */
    @FunctionalInterface
    public interface Progress {
        void copied(long bytes);

        /** Says that a file is copied bit by bit, so that its copy may hold what it was at several instants. */
        default void inPieces() {}

        /** Says that an entry was made: a file, folder or link, or just one more name of a file. */
        default void made(boolean isNew) {}

        /**
         * Says that a file that is said to have none has so many bytes more than blocks: its file system tells no
         * holes, as NFS before 4.2, so that its copy takes them, or compresses it.
         */
        default void holesUntold(long bytes) {}

        /**
         * Says what was taken of the file system: the blocks of files, shared ones among them, of attributes, long
         * links and names. Less than nothing says that a file takes less than was told before.
         */
        default void took(long bytes) {}
    }
}
