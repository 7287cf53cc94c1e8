package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.tree.TreeCopy;
import dev.fairlead.application.port.work.Work;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes the progress of a copy on to its call, and remembers whether all files were copied at once. */
final class CopyProgress implements TreeCopy.Progress {
    private final Work work;
    private final long expected;
    private final AtomicBoolean pieces = new AtomicBoolean();

    CopyProgress(Work work, long expected) {
        this.work = work;
        this.expected = expected;
    }

    @Override
    public void copied(long bytes) {
        work.progress(bytes, Math.max(bytes, expected));
        work.checkEnding();
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
