package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.LinuxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Finds the copy of a file that has several names, by an additional hard link to it: its name is the source's inode
 * number, in a folder beside the copy of the tree. However many such files there are, none of them is kept in memory.
 * The folder is made with the first of them and deleted in the end.
 */
final class LinkedFiles implements AutoCloseable {
    private static final int NONE = -1;

    private final FileCalls calls;
    private final Path path;
    private int folder = NONE;

    /**
     * @param path the path of the folder, on the file system of the copy; what an earlier copy left there is deleted
     */
    LinkedFiles(FileCalls calls, Path path) {
        this.calls = calls;
        this.path = path;
    }

    /** Links the copy of a file to this name too and returns true, or returns false if there is no copy yet. */
    boolean link(FileStat source, int target, byte[] name) throws LinuxException {
        if (folder == NONE) {
            return false;
        }
        try {
            calls.link(folder, key(source), target, name);
            return true;
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENOENT -> false;
                case Errno.EMLINK -> {
                    calls.rename(folder, key(source), target, name); // giving up the name here leaves one for the copy
                    yield true;
                }
                default -> throw e;
            };
        }
    }

    /**
     * Remembers the copy of this name, if it was made.
     *
     * @param source what was copied, which need not be what had the name before
     */
    void remember(FileStat source, int target, byte[] name) throws IOException {
        if (folder == NONE) {
            folder = made();
        }
        try {
            calls.link(target, name, folder, key(source));
        } catch (LinuxException e) {
            switch (e.errno()) {
                // it was left out, has the most links that a file may have, or is remembered by another of its names
                case Errno.ENOENT, Errno.EMLINK, Errno.EEXIST -> {}
                default -> throw e;
            }
        }
    }

    private int made() throws IOException {
        TreeDelete.delete(path);
        int parent = calls.openFolder(path.resolveSibling("."));
        try {
            byte[] name = path.getFileName().toString().getBytes(StandardCharsets.UTF_8);
            calls.makeFolder(parent, name, 0700);
            return calls.openFolder(parent, name);
        } finally {
            calls.closeFile(parent);
        }
    }

    private static byte[] key(FileStat source) {
        return source.identity().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        if (folder != NONE) {
            calls.closeFile(folder);
            TreeDelete.delete(path);
        }
    }
}
