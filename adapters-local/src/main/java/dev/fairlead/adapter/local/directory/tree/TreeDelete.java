package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Deletes a folder and everything below it, however hostile its content: no link is followed and no mount is entered,
 * so what a forgotten bind mount shows is safe. However deep the folders are nested, few are open at a time, since deep
 * ones are first moved up, into a folder that is deleted after the tree.
 *
 * <p>A subvolume of btrfs is a folder on a file system of its own, so nothing but itself can be moved out of it. One
 * that is nested is moved up first, and its own deep folders into a folder at its top. One that is read-only is made
 * writable.
 */
public final class TreeDelete implements AutoCloseable {
    private static final int DEEPEST = 32;
    private static final int SUBVOLUMES_DEEPEST = 1;

    private final FileCalls calls;
    private final BooleanSupplier cancelled;
    private final RemovalFolder top;
    private final FileStat root;
    private final byte[] rootName;
    private boolean moved;

    /**
     * Names the folder to which deep folders of one file system are moved.
     *
     * @param folder the open folder in which it is
     */
    private record RemovalFolder(int folder, UUID id, long filesystem) {
        static RemovalFolder in(int folder, long filesystem) {
            return new RemovalFolder(folder, UUID.randomUUID(), filesystem);
        }

        byte[] name() {
            return id.toString().getBytes(StandardCharsets.UTF_8);
        }
    }

    private TreeDelete(Path tree, BooleanSupplier cancelled) throws IOException {
        this.rootName = String.valueOf(tree.getFileName()).getBytes(StandardCharsets.UTF_8);
        Path parent = tree.getParent();
        if (parent == null) {
            throw new IOException(tree + " has no parent");
        }
        this.cancelled = cancelled;
        this.calls = new FileCalls();
        int opened = -1;
        try {
            opened = calls.openFolder(parent);
            this.root = calls.stat(opened);
        } catch (LinuxException e) {
            try (calls) {
                if (opened >= 0) {
                    calls.closeFile(opened);
                }
            }
            throw e;
        }
        this.top = RemovalFolder.in(opened, root.filesystem());
    }

    /** Deletes a tree; succeeds if it does not exist. */
    public static void delete(Path tree) throws IOException {
        delete(tree, () -> false);
    }

    /**
     * Deletes a tree; succeeds if it does not exist. Once it is cancelled, it throws an {@link InterruptedIOException}
     * and leaves the rest, beside the tree too, for another time.
     */
    public static void delete(Path tree, BooleanSupplier cancelled) throws IOException {
        try (TreeDelete delete = new TreeDelete(tree, cancelled)) {
            RemovalFolder top = delete.top;
            delete.remove(top.folder(), delete.rootName, 0, top);
            if (delete.moved) {
                delete.remove(top.folder(), top.name(), 0, top);
            }
        }
    }

    /** @param aside where deep folders of the same file system go */
    private void remove(int folder, byte[] name, int depth, RemovalFolder aside) throws IOException {
        try {
            FileStat stat = calls.stat(folder, name);
            if (!stat.is(FileStat.Type.FOLDER)) {
                calls.unlink(folder, name);
            } else if (!stat.sameMount(root)) {
                throw new IOException("something is mounted at " + printable(name) + "; unmount it first");
            } else {
                boolean subvolume = stat.filesystem() != aside.filesystem();
                if (subvolume) {
                    calls.makeWritable(folder, name);
                }
                if (depth > (subvolume ? SUBVOLUMES_DEEPEST : DEEPEST)) {
                    removeOrMoveAside(folder, name, subvolume ? top : aside);
                } else {
                    empty(folder, name, depth, aside);
                    calls.removeFolder(folder, name);
                }
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw new IOException("deleting " + printable(name) + ": " + e.getMessage(), e);
            }
        }
    }

    /**
     * Removes a deep folder that is empty. What btrfs shows in a snapshot in the place of a nested subvolume is always
     * empty, and cannot be moved.
     */
    private void removeOrMoveAside(int folder, byte[] name, RemovalFolder aside) throws LinuxException {
        try {
            calls.removeFolder(folder, name);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOTEMPTY) {
                throw e;
            }
            moveAside(folder, name, aside);
        }
    }

    /** Moves a deep folder into the folder aside, so that no list of such folders, which may be long, is needed. */
    private void moveAside(int folder, byte[] name, RemovalFolder aside) throws LinuxException {
        makeAside(aside);
        int to = calls.openFolder(aside.folder(), aside.name());
        try {
            calls.rename(folder, name, to, UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
        } finally {
            calls.closeFile(to);
        }
    }

    /**
     * Makes the folder aside; the one of a subvolume is deleted with the other folders there, and may be needed anew.
     */
    private void makeAside(RemovalFolder aside) throws LinuxException {
        moved |= aside.equals(top);
        try {
            calls.makeFolder(aside.folder(), aside.name(), 0700);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
    }

    /**
     * Deletes the content of a folder. Some file systems skip entries if others vanish while the folder is listed, so
     * it is listed again until it is empty, which a program that goes on writing there may never let it be.
     */
    private void empty(int folder, byte[] name, int depth, RemovalFolder aside) throws IOException {
        int opened = calls.openFolder(folder, name);
        try {
            FileStat stat = calls.stat(opened);
            if (!stat.sameMount(root)) {
                throw new IOException("something is mounted at " + printable(name) + "; unmount it first");
            }
            boolean subvolume = stat.filesystem() != aside.filesystem();
            RemovalFolder inside = subvolume ? RemovalFolder.in(opened, stat.filesystem()) : aside;
            while (emptyOnce(opened, depth, inside)) {
                calls.rewind(opened);
            }
        } finally {
            calls.closeFile(opened);
        }
    }

    /** Deletes what one listing of a folder shows, and returns whether it showed anything. */
    private boolean emptyOnce(int opened, int depth, RemovalFolder aside) throws IOException {
        boolean any = false;
        for (List<byte[]> names = calls.nextNames(opened); !names.isEmpty(); names = calls.nextNames(opened)) {
            any = true;
            for (byte[] child : names) {
                if (cancelled.getAsBoolean()) {
                    throw new InterruptedIOException("deleting was cancelled");
                }
                remove(opened, child, depth + 1, aside);
            }
        }
        return any;
    }

    private static String printable(byte[] name) {
        return "'" + new String(name, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?") + "'";
    }

    @Override
    public void close() throws LinuxException {
        try (calls) {
            calls.closeFile(top.folder());
        }
    }
}
