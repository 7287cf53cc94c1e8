package dev.fairlead.lab.abuse.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Syncs a small file on the disk of a folder again and again, so that the driver is not blamed for a disk on which
 * nobody's syncs ended in time. It has no part of the driver, and nothing of the driver's stands in its way but what
 * the disk itself has to do for both.
 */
public final class DiskPulse implements AutoCloseable {
    private static final long PAUSE_NANOS = 50_000_000;
    private static final int KEPT = 20_000;

    private final Deque<Long> ends = new ArrayDeque<>();
    private final Sync sync;
    private volatile boolean stopped;
    private volatile boolean failed;

    /** Syncs something once. */
    @FunctionalInterface
    interface Sync extends AutoCloseable {
        void once() throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** @param folder a folder on the disk, where a file is made for this */
    public DiskPulse(Path folder) throws IOException {
        this(new OfFile(
                FileChannel.open(folder.resolve("disk-pulse"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)));
    }

    DiskPulse(Sync sync) {
        this.sync = sync;
        Thread _ = Thread.ofPlatform().daemon().name("disk-pulse").start(this::syncs);
    }

    private record OfFile(FileChannel file) implements Sync {
        @Override
        public void once() throws IOException {
            file.write(ByteBuffer.wrap(new byte[] {1}), 0);
            file.force(true);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private void syncs() {
        ThreadPriority.asTheDriver();
        try (sync) {
            while (!stopped) {
                sync.once();
                ended();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException | RuntimeException e) {
            failed = !stopped;
            throw new IllegalStateException("the disk cannot be judged", e);
        }
    }

    private synchronized void ended() {
        ends.addLast(System.nanoTime());
        if (ends.size() > KEPT) {
            ends.removeFirst();
        }
    }

    /**
     * Returns how many syncs ended between two readings of {@link System#nanoTime()}; throws if they failed, since that
     * would excuse every call.
     */
    public synchronized int syncs(long from, long to) {
        if (failed) {
            throw new IllegalStateException("syncs of the disk failed, so nothing can be judged by them");
        }
        return (int)
                ends.stream().filter(end -> end - from >= 0 && to - end >= 0).count();
    }

    @Override
    public void close() {
        stopped = true;
    }
}
