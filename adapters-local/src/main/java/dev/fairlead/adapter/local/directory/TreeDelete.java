package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.linux.Errno;
import dev.fairlead.adapter.local.linux.FileCalls;
import dev.fairlead.adapter.local.linux.FileStat;
import dev.fairlead.adapter.local.linux.LinuxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/**
 * Deletes a folder and all below it, as hostile as its content may be: no link is followed and no mount is entered, so
 * what a forgotten bind mount shows is safe; and however deep the folders are nested, few are open at a time, since
 * deep ones are first moved up.
 */
final class TreeDelete implements AutoCloseable {
    private static final int DEEPEST = 32;

    private final FileCalls calls = new FileCalls();
    private final int top;
    private final FileStat root;
    private final byte[] rootName;
    private final Deque<byte[]> moved = new ArrayDeque<>();

    private TreeDelete(Path tree) throws IOException {
        this.rootName = String.valueOf(tree.getFileName()).getBytes(StandardCharsets.UTF_8);
        Path parent = tree.getParent();
        if (parent == null) {
            throw new IOException(tree + " has no parent");
        }
        this.top = calls.openFolder(parent);
        this.root = calls.stat(top);
    }

    /** What is gone already is done. */
    static void delete(Path tree) throws IOException {
        try (TreeDelete delete = new TreeDelete(tree)) {
            delete.moved.add(delete.rootName);
            for (byte[] name = delete.moved.poll(); name != null; name = delete.moved.poll()) {
                delete.remove(delete.top, name, 0);
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
                byte[] aside = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
                calls.rename(folder, name, top, aside);
                moved.add(aside);
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

    /** Listing goes on while names vanish; some file systems then skip a few, hence another round. */
    private void empty(int folder, byte[] name, int depth) throws IOException {
        int opened = calls.openFolder(folder, name);
        try {
            if (!calls.stat(opened).sameMount(root)) {
                throw new IOException("something is mounted at " + printable(name) + "; unmount it first");
            }
            boolean again = true;
            while (again) {
                again = false;
                for (List<byte[]> names = calls.nextNames(opened); !names.isEmpty(); names = calls.nextNames(opened)) {
                    for (byte[] child : names) {
                        remove(opened, child, depth + 1);
                    }
                    again = true;
                }
                calls.rewind(opened);
            }
        } finally {
            calls.closeFile(opened);
        }
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
