package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.linux.Errno;
import dev.fairlead.adapter.local.linux.FileAttributes;
import dev.fairlead.adapter.local.linux.FileCalls;
import dev.fairlead.adapter.local.linux.FileStat;
import dev.fairlead.adapter.local.linux.LinuxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies what is in one folder into another, empty one, with owners, modes, times, extended attributes, links and
 * holes.
 *
 * <p>The source may be in use: what vanishes meanwhile is left out, and whoever swaps a folder for a symbolic link does
 * not lead the copy out of the volume, since every step goes by open folders and follows no link. What is mounted below
 * the source is not part of it. Sockets are left out, they mean nothing without their process; what this process may
 * not copy (a device node, an owner) fails the whole copy.
 */
final class TreeCopy implements AutoCloseable {
    /** More levels than a path that a program can name has. */
    private static final int DEEPEST = 2048;

    private static final int ATTEMPTS = 3;

    private final FileCalls calls = new FileCalls();
    private final FileAttributes attributes = new FileAttributes();
    private final FileCopy files;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Map<Long, byte[]> linked = new HashMap<>();
    private final int targetRoot;
    private final FileStat root;
    private final AtomicReference<TreeSize> done = new AtomicReference<>(TreeSize.NOTHING);

    private TreeCopy(Path source, Path target, Progress progress) throws IOException {
        this.files = new FileCopy(progress);
        int from = calls.openFolder(source);
        this.targetRoot = calls.openFolder(target);
        this.root = calls.stat(from);
        levels.push(new Level(from, calls.openFolder(target), root, new byte[0]));
    }

    /** Copies, and answers what was copied. */
    static TreeSize copy(Path source, Path target, Progress progress) throws IOException {
        try (TreeCopy copy = new TreeCopy(source, target, progress)) {
            copy.run();
            return copy.done.get();
        }
    }

    private void run() throws IOException {
        while (!levels.isEmpty()) {
            Level level = levels.element();
            if (level.names.isEmpty()) {
                level.names.addAll(calls.nextNames(level.from));
            }
            byte[] name = level.names.poll();
            if (name == null) {
                attributes.copy(level.from, level.stat, level.to);
                close(levels.pop());
            } else {
                copy(level, name);
            }
        }
    }

    /** What vanishes or becomes something else under the copy's hands is looked at again, and in the end left out. */
    private void copy(Level level, byte[] name) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                copyAsItIs(level, name);
                return;
            } catch (LinuxException e) {
                switch (e.errno()) {
                    case Errno.ENOENT, Errno.ELOOP, Errno.ENOTDIR -> {}
                    default -> throw new IOException("'" + level.show(name) + "' in the source: " + e.getMessage(), e);
                }
            }
        }
    }

    private void copyAsItIs(Level level, byte[] name) throws IOException {
        FileStat stat = calls.stat(level.from, name);
        if (stat.is(FileStat.Type.SOCKET)) {
            return;
        }
        if (stat.is(FileStat.Type.FOLDER)) {
            copyFolder(level, name, stat);
        } else if (stat.links() == 1 || !linkAgain(level, name, stat)) {
            copyOther(level, name, stat);
        }
    }

    private void copyFolder(Level level, byte[] name, FileStat stat) throws IOException {
        if (levels.size() >= DEEPEST) {
            throw new IOException("the source has more than " + DEEPEST + " folders inside one another");
        }
        if (!stat.sameMount(root)) {
            calls.makeFolder(level.to, name, stat.permissions());
            count(0);
            return;
        }
        int from = calls.openFolder(level.from, name);
        try {
            FileStat opened = calls.stat(from);
            calls.makeFolder(level.to, name, 0700);
            levels.push(new Level(from, calls.openFolder(level.to, name), opened, level.path(name)));
            count(0);
        } catch (LinuxException e) {
            calls.closeFile(from);
            throw e;
        }
    }

    private void copyOther(Level level, byte[] name, FileStat stat) throws IOException {
        if (stat.is(FileStat.Type.FILE)) {
            copyFile(level, name);
            return;
        }
        if (stat.is(FileStat.Type.LINK)) {
            calls.symlink(calls.readLink(level.from, name), level.to, name);
        } else {
            calls.makeNode(level.to, name, stat.mode(), stat.device());
        }
        attributes.copy(stat, level.to, name);
        count(0);
    }

    private void copyFile(Level level, byte[] name) throws IOException {
        int from = calls.openFile(level.from, name);
        try {
            FileStat stat = calls.stat(from);
            if (!stat.is(FileStat.Type.FILE)) {
                return; // swapped since it was looked at: as good as vanished
            }
            int to = calls.createFile(level.to, name);
            try {
                long size = files.copy(from, stat.size(), to);
                attributes.copy(from, stat, to);
                count(size);
            } finally {
                calls.closeFile(to);
            }
        } finally {
            calls.closeFile(from);
        }
    }

    /** Gives a file that was copied under another name this name too. */
    private boolean linkAgain(Level level, byte[] name, FileStat stat) throws LinuxException {
        byte[] first = linked.putIfAbsent(stat.inode(), level.path(name));
        if (first == null) {
            return false;
        }
        try {
            calls.link(targetRoot, first, level.to, name);
            count(0);
            return true;
        } catch (LinuxException e) {
            return switch (e.errno()) {
                // the first was left out, has a longer path than a call takes, or as many names as a file may have
                case Errno.ENOENT, Errno.ENAMETOOLONG, Errno.EMLINK -> false;
                default -> throw e;
            };
        }
    }

    private void count(long size) {
        done.updateAndGet(sum -> sum.and(size));
    }

    private void close(Level level) throws LinuxException {
        calls.closeFile(level.from);
        calls.closeFile(level.to);
    }

    @Override
    public void close() throws IOException {
        try (calls;
                attributes;
                files) {
            while (!levels.isEmpty()) {
                close(levels.pop());
            }
            calls.closeFile(targetRoot);
        }
    }

    /** A folder that is being copied, and the names in it that are still to come. */
    private static final class Level {
        private final int from;
        private final int to;
        private final FileStat stat;
        private final byte[] path;
        private final Deque<byte[]> names = new ArrayDeque<>();

        Level(int from, int to, FileStat stat, byte[] path) {
            this.from = from;
            this.to = to;
            this.stat = stat;
            this.path = path;
        }

        byte[] path(byte[] name) {
            if (path.length == 0) {
                return name;
            }
            byte[] whole = Arrays.copyOf(path, path.length + 1 + name.length);
            whole[path.length] = '/';
            System.arraycopy(name, 0, whole, path.length + 1, name.length);
            return whole;
        }

        String show(byte[] name) {
            return new String(path(name), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
        }
    }

    /** Told how many bytes have been copied in all. */
    @FunctionalInterface
    interface Progress {
        void copied(long bytes);
    }
}
