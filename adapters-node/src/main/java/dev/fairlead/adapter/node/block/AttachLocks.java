package dev.fairlead.adapter.node.block;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets one call at a time change what this node has of a target or subsystem: one of its volumes must not end the
 * session that another one has just found. A login that outlives its call keeps the target until it has ended, so that
 * nobody takes its session for absent.
 */
public final class AttachLocks {
    private final Map<String, Entry> entries = new HashMap<>();

    /**
     * Waits for a target or subsystem, no longer than the caller.
     *
     * @param name in words, such as {@code target iqn.…}
     */
    public Turn hold(String name, Work work) {
        Entry entry;
        synchronized (entries) {
            entry = entries.computeIfAbsent(name, _ -> new Entry());
            entry.users++;
        }
        boolean held = false;
        try {
            Duration left = work.left();
            held = entry.free.tryAcquire(Math.max(left.toMillis(), 1), TimeUnit.MILLISECONDS);
            if (!held) {
                throw new StorageException(new Failure.OperationPending(
                        name, "another volume's attachment", left, "its portals may not answer"));
            }
            return new Turn(name, entry);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        } finally {
            if (!held) {
                left(name, entry);
            }
        }
    }

    private void left(String name, Entry entry) {
        synchronized (entries) {
            entry.users--;
            if (entry.users == 0) {
                entries.remove(name);
            }
        }
    }

    private static final class Entry {
        private final Semaphore free = new Semaphore(1, true);
        private int users;
    }

    /** Holds a target or subsystem until each part of it is closed. */
    public final class Turn implements AutoCloseable {
        private final String name;
        private final Entry entry;
        private int parts = 1;

        private Turn(String name, Entry entry) {
            this.name = name;
            this.entry = entry;
        }

        /** Returns a further part, for a thread that may outlive the call. */
        public synchronized Turn part() {
            parts++;
            return this;
        }

        /** Ends one part. */
        @Override
        public synchronized void close() {
            parts--;
            if (parts == 0) {
                entry.free.release();
                left(name, entry);
            }
        }
    }
}
