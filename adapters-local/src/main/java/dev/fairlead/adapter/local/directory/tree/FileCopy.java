package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.FileContent;
import dev.fairlead.linux.LinuxException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Copies the content of files: shares blocks if the file system can, and otherwise copies all but the holes. */
final class FileCopy implements AutoCloseable {
    /** The most bytes copied between two reports of progress. */
    private static final long PIECE = 32L << 20;

    private final FileContent content = new FileContent();
    private final TreeCopy.Progress progress;
    private final AtomicLong copied = new AtomicLong();

    FileCopy(TreeCopy.Progress progress) {
        this.progress = progress;
    }

    /**
     * Copies an open file into an open empty one, which gets this size; if blocks are shared, it gets the size that the
     * file has then.
     *
     * @return whether blocks are shared, of which nothing is reported
     */
    boolean copy(int source, long size, int target) throws LinuxException {
        if (size == 0) {
            return false;
        }
        boolean shared = content.share(source, target);
        if (!shared) {
            progress.inPieces();
            copyData(source, size, target);
            content.setSize(target, size);
        }
        report(0);
        return shared;
    }

    private void copyData(int source, long size, int target) throws LinuxException {
        long at = 0;
        while (at < size) {
            OptionalLong data = content.nextData(source, at);
            if (data.isEmpty()) {
                return;
            }
            long hole = content.nextHole(source, data.getAsLong(), size);
            for (at = data.getAsLong(); at < hole; ) {
                long done = piece(source, target, at, Math.min(PIECE, hole - at));
                if (done == 0) {
                    return; // the file was shortened meanwhile
                }
                at += done;
                report(done);
            }
        }
    }

    private long piece(int source, int target, long at, long most) throws LinuxException {
        long done = content.copyInKernel(source, target, at, most);
        return done < 0 ? content.copyByHand(source, target, at, most) : done;
    }

    /** Reports that so many more bytes, or none, have been copied. */
    void report(long more) {
        progress.copied(copied.addAndGet(more));
    }

    @Override
    public void close() {
        content.close();
    }
}
