package dev.fairlead.application.service.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Passes bytes from one thread to another through a bounded buffer. Neither side waits for the other for ever: a wait
 * that is too long ends it.
 *
 * <p>The reader sees the end of the stream also if the writer failed. That is safe only for streams that contain a sign
 * that they are complete, as those of a transfer do.
 */
final class BoundedPipe {
    private static final int ROOM = 4 << 20;

    private final Duration silence;
    private final LongConsumer passed;
    private final Deque<byte[]> chunks = new ArrayDeque<>();
    private int held;
    private int offset;
    private long bytes;
    private boolean ended;
    private boolean gone;
    private boolean cut;
    private boolean silent;

    /**
     * @param silence for how long each side waits for the other
     * @param passed called with the number of bytes that have been read so far
     */
    BoundedPipe(Duration silence, LongConsumer passed) {
        this.silence = silence;
        this.passed = passed;
    }

    /** Waits until there is something to be read, and answers whether there is. */
    synchronized boolean awaitFirst() {
        silent = !await(() -> !chunks.isEmpty() || ended);
        return !chunks.isEmpty();
    }

    /** Ends the stream on the writer's side. */
    synchronized void end() {
        ended = true;
        cut = gone;
        notifyAll();
    }

    /** Returns whether the writer ended before the reader left. */
    synchronized boolean endedFirst() {
        return ended && !cut;
    }

    /** Ends the stream on the reader's side; a write fails from now on. */
    synchronized void leave() {
        gone = true;
        chunks.clear();
        held = 0;
        notifyAll();
    }

    /** Returns how many bytes were read. */
    synchronized long bytes() {
        return bytes;
    }

    /** Returns whether the reader's last wait for bytes timed out. */
    synchronized boolean isSilent() {
        return silent;
    }

    InputStream in() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int at, int most) {
                Objects.checkFromIndexSize(at, most, into.length);
                return most == 0 ? 0 : take(into, at, most);
            }
        };
    }

    OutputStream out() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                put(new byte[] {(byte) b});
            }

            @Override
            public void write(byte[] from, int at, int count) throws IOException {
                Objects.checkFromIndexSize(at, count, from.length);
                if (count > 0) {
                    put(Arrays.copyOfRange(from, at, at + count));
                }
            }
        };
    }

    private int take(byte[] into, int at, int most) {
        long now;
        int count;
        synchronized (this) {
            silent = !await(() -> !chunks.isEmpty() || ended);
            if (chunks.isEmpty()) {
                return -1;
            }
            byte[] chunk = chunks.getFirst();
            count = Math.min(most, chunk.length - offset);
            System.arraycopy(chunk, offset, into, at, count);
            offset += count;
            if (offset == chunk.length) {
                chunks.removeFirst();
                held -= chunk.length;
                offset = 0;
            }
            bytes += count;
            now = bytes;
            notifyAll();
        }
        passed.accept(now);
        return count;
    }

    private synchronized void put(byte[] chunk) throws IOException {
        if (!await(() -> gone || held == 0 || held + chunk.length <= ROOM)) {
            throw new IOException("the other end took nothing for " + silence.toSeconds() + " s");
        }
        if (gone) {
            throw new IOException("the other end takes no more");
        }
        chunks.addLast(chunk);
        held += chunk.length;
        notifyAll();
    }

    /**
     * Waits until the condition holds, and answers whether it did in time. Called with the lock, which it releases
     * while it waits.
     */
    private boolean await(BooleanSupplier met) {
        long end = System.nanoTime() + silence.toNanos();
        try {
            while (!met.getAsBoolean()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                wait(Math.max(1, left / 1_000_000));
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
