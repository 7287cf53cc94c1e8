package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.tree.TreeCopy;
import dev.fairlead.application.port.work.Work;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Passes the progress of a copy on to its call, ends the copy at its limit, and remembers whether all files were copied
 * at once.
 */
final class CopyProgress implements TreeCopy.Progress {
    private final Work work;
    private final long expected;
    private final CopyLimit limit;
    private final AtomicBoolean pieces = new AtomicBoolean();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final AtomicLong names = new AtomicLong();

    CopyProgress(Work work, long expected, CopyLimit limit) {
        this.work = work;
        this.expected = expected;
        this.limit = limit;
    }

    @Override
    public void copied(long bytes) {
        work.progress(bytes, Math.max(bytes, expected));
        work.checkEnding();
        limit.checkRead(bytes);
        limit.check(taken.get(), files.get(), names.get());
    }

    @Override
    public void made(boolean isNew) {
        names.incrementAndGet();
        files.addAndGet(isNew ? 1 : 0);
    }

    @Override
    public void holesUntold(long bytes) {
        limit.letThrough(bytes);
    }

    @Override
    public void took(long bytes) {
        taken.addAndGet(bytes);
    }

    @Override
    public void inPieces() {
        pieces.set(true);
    }

    /** Returns whether each file was copied by sharing its blocks, which the kernel does at one instant. */
    boolean isAtOnce() {
        return !pieces.get();
    }
}
