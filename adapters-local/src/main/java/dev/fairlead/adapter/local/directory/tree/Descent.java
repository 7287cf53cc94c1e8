package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Goes down into a tree of folders and up again by open folders, of which few are open however deep it goes.
 *
 * <p>Folders far above are closed, and opened again on the way up as the parent of the folder below. A folder that is
 * moved meanwhile cannot lead out of the tree: a parent is recognized by its inode, and another one ends the descent.
 */
final class Descent implements AutoCloseable {
    private static final int MOST_OPEN = 32;

    /** The greatest depth: more than any program nests, and an end for a tree that grows while it is read. */
    private static final int MOST_LEVELS = 100_000;

    private static final byte[] PARENT = {'.', '.'};

    private final FileCalls calls;
    private final FileStat root;
    private final Deque<Integer> open = new ArrayDeque<>();
    private final SpillingStack above;
    private long inode;
    private long filesystem;
    private int level;

    Descent(FileCalls calls, Path top, Path scratch) throws IOException {
        this.calls = calls;
        this.above = new SpillingStack(scratch);
        open.push(calls.openFolder(top));
        this.root = calls.stat(folder());
        this.inode = root.inode();
        this.filesystem = root.filesystem();
    }

    /** Returns the folder that is open now. */
    int folder() {
        return open.element();
    }

    /** Returns whether a file is in the mount in which the descent began. */
    boolean holds(FileStat stat) {
        return stat.sameMount(root);
    }

    /** Goes down into a folder; returns false, and stays, if something is mounted there by now. */
    boolean enter(byte[] name) throws IOException {
        if (level >= MOST_LEVELS) {
            throw new IOException("folders are nested more than " + MOST_LEVELS + " deep; move those to be kept up");
        }
        int child = calls.openFolder(folder(), name);
        boolean entered = false;
        try {
            FileStat stat = calls.stat(child);
            if (holds(stat)) {
                above.push(ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(inode)
                        .putLong(filesystem)
                        .array());
                inode = stat.inode();
                filesystem = stat.filesystem();
                level++;
                open.push(child);
                entered = true;
            }
        } finally {
            if (!entered) {
                calls.closeFile(child);
            }
        }
        if (open.size() > MOST_OPEN) {
            calls.closeFile(open.removeLast());
        }
        return entered;
    }

    /** Goes up and returns the folder that was left, still open, which the caller must close. */
    int leave() throws IOException {
        ByteBuffer parent = ByteBuffer.wrap(above.pop());
        long parentInode = parent.getLong();
        long parentFilesystem = parent.getLong();
        if (open.size() == 1) {
            open.addLast(calls.openFolder(folder(), PARENT));
            FileStat found = calls.stat(open.getLast());
            if (!holds(found) || found.inode() != parentInode || found.filesystem() != parentFilesystem) {
                throw new IOException("a folder was moved elsewhere while the tree was read");
            }
        }
        inode = parentInode;
        filesystem = parentFilesystem;
        level--;
        return open.pop();
    }

    @Override
    public void close() throws IOException {
        try (above) {
            while (!open.isEmpty()) {
                calls.closeFile(open.pop());
            }
        }
    }
}
