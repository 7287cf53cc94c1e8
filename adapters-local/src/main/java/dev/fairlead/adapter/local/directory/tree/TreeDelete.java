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
 */
public final class TreeDelete implements AutoCloseable {
    private static final int DEEPEST = 32;

    private final FileCalls calls;
    private final BooleanSupplier cancelled;
    private final int top;
    private final FileStat root;
    private final byte[] rootName;
    private final byte[] aside = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    private boolean moved;

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
        this.top = opened;
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
            delete.remove(delete.top, delete.rootName, 0);
            if (delete.moved) {
                delete.remove(delete.top, delete.aside, 0);
            }
        }
    }

    private void remove(int folder, byte[] name, int depth) throws IOException {
        try {
            FileStat stat = calls.stat(folder, name);
            if (!stat.is(FileStat.Type.FOLDER)) {
                calls.unlink(folder, name);
            } else if (!stat.sameMount(root)) {
                throw new IOException("something is mounted at " + printable(name) + "; unmount it first");
            } else if (depth > DEEPEST) {
                moveAside(folder, name);
            } else {
                empty(folder, name, depth);
                calls.removeFolder(folder, name);
            }
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw new IOException("deleting " + printable(name) + ": " + e.getMessage(), e);
            }
        }
    }

    /** Moves a deep folder into the folder aside, so that no list of such folders, which may be long, is needed. */
    private void moveAside(int folder, byte[] name) throws LinuxException {
        if (!moved) {
            calls.makeFolder(top, aside, 0700);
            moved = true;
        }
        int to = calls.openFolder(top, aside);
        try {
            calls.rename(folder, name, to, UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
        } finally {
            calls.closeFile(to);
        }
    }

    /**
     * Deletes the content of a folder. Some file systems skip entries if others vanish while the folder is listed, so
     * it is listed again until it is empty, which a program that goes on writing there may never let it be.
     */
    private void empty(int folder, byte[] name, int depth) throws IOException {
        int opened = calls.openFolder(folder, name);
        try {
            if (!calls.stat(opened).sameMount(root)) {
                throw new IOException("something is mounted at " + printable(name) + "; unmount it first");
            }
            while (emptyOnce(opened, depth)) {
                calls.rewind(opened);
            }
        } finally {
            calls.closeFile(opened);
        }
    }

    /** Deletes what one listing of a folder shows, and returns whether it showed anything. */
    private boolean emptyOnce(int opened, int depth) throws IOException {
        boolean any = false;
        for (List<byte[]> names = calls.nextNames(opened); !names.isEmpty(); names = calls.nextNames(opened)) {
            any = true;
            for (byte[] child : names) {
                if (cancelled.getAsBoolean()) {
                    throw new InterruptedIOException("deleting was cancelled");
                }
                remove(opened, child, depth + 1);
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
            calls.closeFile(top);
        }
    }
}
