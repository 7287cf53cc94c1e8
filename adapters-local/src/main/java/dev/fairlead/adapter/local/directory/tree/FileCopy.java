package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileContent;
import dev.fairlead.linux.FileStat;
import dev.fairlead.linux.LinuxException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Copies the content of files: shares blocks if the file system can, and otherwise copies all but the holes. */
final class FileCopy implements AutoCloseable {
    /** The most bytes copied between two reports of progress. */
    private static final long PIECE = 32L << 20;

    /** The blocks in which file systems give room to files, or the multiple of them that is reserved at once. */
    private static final long BLOCK = 4096;

    private final FileContent content = new FileContent();
    private final FileCalls calls;
    private final TreeCopy.Progress progress;
    private final AtomicLong copied = new AtomicLong();

    /** The bytes of the present file that were copied one by one, and what was told that it takes. */
    private final AtomicLong written = new AtomicLong();

    private final AtomicLong told = new AtomicLong();

    FileCopy(FileCalls calls, TreeCopy.Progress progress) {
        this.calls = calls;
        this.progress = progress;
    }

    /**
     * Copies an open file into an open empty one, which gets this size; if blocks are shared, it gets the size that the
     * file has then.
     *
     * @return whether blocks are shared
     */
    boolean copy(int source, FileStat stat, int target) throws LinuxException {
        long size = stat.size();
        written.set(0);
        told.set(0);
        if (size == 0) {
            return false;
        }
        boolean shared = content.share(source, target);
        if (!shared) {
            progress.inPieces();
            copyData(source, stat, target);
            content.setSize(target, size);
        }
        report(0);
        return shared;
    }

    private void copyData(int source, FileStat stat, int target) throws LinuxException {
        long size = stat.size();
        long at = 0;
        while (at < size) {
            OptionalLong data = content.nextData(source, at);
            if (data.isEmpty()) {
                return;
            }
            long hole = content.nextHole(source, data.getAsLong(), size);
            if (data.getAsLong() == 0 && hole == size) {
                progress.holesUntold(Math.max(0, size - stat.allocated()));
            }
            for (at = data.getAsLong(); at < hole; ) {
                long done = piece(source, target, at, Math.min(PIECE, hole - at));
                if (done == 0) {
                    return; // the file was shortened meanwhile
                }
                at += done;
                written.addAndGet(done);
                take(calls.stat(target), 0);
                report(done);
            }
        }
    }

    private long piece(int source, int target, long at, long most) throws LinuxException {
        long done = content.copyInKernel(source, target, at, most);
        return done < 0 ? content.copyByHand(source, target, at, most) : done;
    }

    /** Reports what the present file takes, whose blocks are shared. */
    void takeAll(FileStat target) {
        progress.took(target.allocated());
    }

    /**
     * Reports what the present file takes by now: its blocks, which are fewer than were written if the file system
     * compresses, but none that it holds ready for more.
     *
     * @param beside the bytes that its attributes take
     */
    void take(FileStat target, long beside) {
        long now = Math.min(target.allocated(), blocks(written.get()) + beside);
        progress.took(now - told.getAndSet(now));
    }

    /** Returns the bytes of the blocks that so many bytes take. */
    static long blocks(long bytes) {
        return Math.ceilDiv(bytes, BLOCK) * BLOCK;
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
