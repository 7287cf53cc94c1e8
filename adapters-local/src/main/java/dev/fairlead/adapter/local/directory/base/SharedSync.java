package dev.fairlead.adapter.local.directory.base;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Syncs the same folders for many callers: those who ask while a sync runs share the next one, as in a journal's group
 * commit. Thirty-two callers at once wait for two syncs instead of sixty-four.
 */
final class SharedSync {
    private final List<Path> folders;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private Round next = new Round();
    private boolean running;

    /** @param folders the folders, which are synced in this order */
    SharedSync(List<Path> folders) {
        this.folders = folders;
    }

    /** Returns once a sync that began after this call has ended; all callers that share it get its failure. */
    void sync() throws IOException {
        Round round = join();
        if (!round.done) {
            lead(round);
        }
        if (round.failure.isPresent()) {
            throw new IOException(round.failure.get().getMessage(), round.failure.get());
        }
    }

    /** Waits until the next round is over, or until this caller has to run it. */
    private Round join() {
        lock.lock();
        try {
            Round round = next;
            while (running && !round.done) {
                ended.awaitUninterruptibly();
            }
            if (!round.done) {
                running = true;
                next = new Round();
            }
            return round;
        } finally {
            lock.unlock();
        }
    }

    private void lead(Round round) {
        Optional<IOException> failure = Optional.of(new IOException("the sync did not come to its end"));
        try {
            for (Path folder : folders) {
                FolderSync.force(folder);
            }
            failure = Optional.empty();
        } catch (IOException e) {
            failure = Optional.of(e);
        } finally {
            lock.lock();
            try {
                round.failure = failure;
                round.done = true;
                running = false;
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Holds one sync and how it ended; it is guarded by the lock until it is done, and does not change afterwards. */
    private static final class Round {
        private volatile boolean done;
        private Optional<IOException> failure = Optional.empty();
    }
}
