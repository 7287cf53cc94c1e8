package dev.fairlead.adapter.local.directory;

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
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies what is in one folder into another, empty one, with owners, modes, times, extended attributes, links and
 * holes.
 *
 * <p>The source may be in use: what vanishes meanwhile is left out, and whoever swaps a folder for a symbolic link does
 * not lead the copy out of the volume, since every step goes by open folders and follows no link. What is mounted below
 * the source is not part of it. Sockets are left out, they mean nothing without their process; what this process may
 * not copy (a device node, an owner) fails the whole copy.
 *
 * <p>What it needs of memory and descriptors does not grow with the tree, be it deep, wide or full of files with
 * several names: what is still to come is kept on the file system.
 */
final class TreeCopy {
    /** Takes the place of a name once all folders of a folder have been copied. */
    private static final byte[] END = {};

    private static final int ATTEMPTS = 3;

    private final FileCalls calls;
    private final FileAttributes attributes;
    private final FileCopy files;
    private final LinkedFiles linked;
    private final Descent from;
    private final Descent to;
    private final SpillingStack names;
    private final AtomicReference<TreeSize> done = new AtomicReference<>(TreeSize.NOTHING);

    private TreeCopy(
            FileCalls calls,
            FileAttributes attributes,
            FileCopy files,
            LinkedFiles linked,
            Descent from,
            Descent to,
            SpillingStack names) {
        this.calls = calls;
        this.attributes = attributes;
        this.files = files;
        this.linked = linked;
        this.from = from;
        this.to = to;
        this.names = names;
    }

    /**
     * Copies, and answers what was copied.
     *
     * @param scratch a folder on the file system of the target for what does not belong into memory; nothing is left
     *     there
     */
    static TreeSize copy(Path source, Path target, Path scratch, Progress progress) throws IOException {
        try (FileCalls calls = new FileCalls();
                FileAttributes attributes = new FileAttributes();
                FileCopy files = new FileCopy(progress);
                LinkedFiles linked = new LinkedFiles(calls, scratch.resolve(target.getFileName() + ".links"));
                Descent from = new Descent(calls, source, scratch);
                Descent to = new Descent(calls, target, scratch);
                SpillingStack names = new SpillingStack(scratch)) {
            TreeCopy copy = new TreeCopy(calls, attributes, files, linked, from, to, names);
            copy.run();
            return copy.done.get();
        }
    }

    /** Of each folder first what is no folder, while it is listed, and then its folders, by their names alone. */
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
        attributes.copy(from.folder(), calls.stat(from.folder()), to.folder());
    }

    private void copyNames() throws IOException {
        for (List<byte[]> some = calls.nextNames(from.folder());
                !some.isEmpty();
                some = calls.nextNames(from.folder())) {
            for (byte[] name : some) {
                copy(name, false);
            }
        }
    }

    /** The parents come first: a copy that is dressed as its source may not be left by everybody. */
    private void leave() throws IOException {
        int source = from.leave();
        try {
            int target = to.leave();
            try {
                attributes.copy(source, calls.stat(source), target);
            } finally {
                calls.closeFile(target);
            }
        } finally {
            calls.closeFile(source);
        }
    }

    /**
     * What vanishes or becomes something else under the copy's hands is looked at again, and in the end left out.
     *
     * @param enter whether a folder's turn has come
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
            count(copy.is(FileStat.Type.FILE) ? copy.size() : 0);
        } else {
            copyOther(name, stat);
            linked.remember(stat, to.folder(), name);
        }
        return false;
    }

    private boolean enter(byte[] name, FileStat stat) throws IOException {
        boolean entered = from.holds(stat) && from.enter(name);
        try {
            calls.makeFolder(to.folder(), name, entered ? 0700 : stat.permissions());
            count(0);
            return entered && to.enter(name);
        } catch (LinuxException e) {
            throw new IOException("copying folder '" + show(name) + "': " + e.getMessage(), e); // nothing of the source
        }
    }

    private void copyOther(byte[] name, FileStat stat) throws IOException {
        if (stat.is(FileStat.Type.FILE)) {
            copyFile(name);
            return;
        }
        if (stat.is(FileStat.Type.LINK)) {
            calls.symlink(calls.readLink(from.folder(), name), to.folder(), name);
        } else {
            calls.makeNode(to.folder(), name, stat.mode(), stat.device());
        }
        attributes.copy(stat, to.folder(), name);
        count(0);
    }

    private void copyFile(byte[] name) throws IOException {
        int source = calls.openFile(from.folder(), name);
        try {
            FileStat stat = calls.stat(source);
            if (!stat.is(FileStat.Type.FILE)) {
                return; // swapped since it was looked at: as good as vanished
            }
            int target = calls.createFile(to.folder(), name);
            try {
                long size = files.copy(source, stat.size(), target);
                attributes.copy(source, stat, target);
                count(size);
            } finally {
                calls.closeFile(target);
            }
        } finally {
            calls.closeFile(source);
        }
    }

    private void count(long size) {
        done.updateAndGet(sum -> sum.and(size));
    }

    /** Where it is, as the kernel has it at the moment; the name alone where that is too long to be told. */
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

    /** Told after each file, and within large ones, how many bytes have been copied in all; may end the copy. */
    @FunctionalInterface
    interface Progress {
        void copied(long bytes);
    }
}
