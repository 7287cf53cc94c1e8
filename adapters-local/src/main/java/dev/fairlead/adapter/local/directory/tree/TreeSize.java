package dev.fairlead.adapter.local.directory.tree;

/**
 * Tells how much is below a folder.
 *
 * @param entries the number of names of any kind except sockets
 * @param bytes the lengths of all files, a file of several names once for each of those below the folder
 */
public record TreeSize(long entries, long bytes) {
    static final TreeSize NOTHING = new TreeSize(0, 0);

    TreeSize and(long more) {
        return new TreeSize(entries + 1, bytes + more);
    }
}
