package dev.fairlead.adapter.local.directory.tree;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps byte strings, the last one first: the topmost in memory, the others in a file once they are many. The file is
 * made when it is needed, and its name is deleted at once, so that nothing of it outlives the process.
 */
final class SpillingStack implements AutoCloseable {
    private static final int HALF = 32 << 10;
    private static final int LENGTH = Short.BYTES;

    /** Most trees are small, and several stacks are made for each. */
    private static final int FIRST = 256;

    private final Path scratch;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST);
    private int top;
    private long spilled;
    private @Nullable FileChannel file;

    /** @param scratch the folder in which the file is made */
    SpillingStack(Path scratch) {
        this.scratch = scratch;
    }

    boolean isEmpty() {
        return top == 0 && spilled == 0;
    }

    void push(byte[] entry) throws IOException {
        if (entry.length > Short.MAX_VALUE - LENGTH) {
            throw new IllegalArgumentException("entry: " + entry.length + " bytes (expected: a name)");
        }
        makeRoom(top + entry.length + LENGTH);
        buffer.put(top, entry);
        buffer.putShort(top + entry.length, (short) entry.length);
        top += entry.length + LENGTH;
    }

    /** Removes and returns the last entry. */
    byte[] pop() throws IOException {
        bringBack(LENGTH);
        int length = buffer.getShort(top - LENGTH);
        top -= LENGTH;
        bringBack(length);
        byte[] entry = new byte[length];
        buffer.get(top - length, entry);
        top -= length;
        return entry;
    }

    private void makeRoom(int needed) throws IOException {
        if (needed > buffer.capacity() && buffer.capacity() < 2 * HALF) {
            byte[] larger = Arrays.copyOf(buffer.array(), Math.min(2 * HALF, Math.max(needed, 2 * buffer.capacity())));
            buffer = ByteBuffer.wrap(larger);
        }
        if (needed > buffer.capacity()) {
            spill();
        }
    }

    private void spill() throws IOException {
        FileChannel to = opened();
        ByteBuffer lower = buffer.slice(0, HALF);
        while (lower.hasRemaining()) {
            to.write(lower, spilled + lower.position());
        }
        spilled += HALF;
        top -= HALF;
        System.arraycopy(buffer.array(), HALF, buffer.array(), 0, top);
    }

    private void bringBack(int needed) throws IOException {
        if (top >= needed) {
            return;
        }
        if (spilled == 0) {
            throw new IllegalStateException("nothing is left on the stack");
        }
        System.arraycopy(buffer.array(), 0, buffer.array(), HALF, top);
        top += HALF;
        spilled -= HALF;
        FileChannel from = opened();
        ByteBuffer lower = buffer.slice(0, HALF);
        while (lower.hasRemaining()) {
            if (from.read(lower, spilled + lower.position()) < 0) {
                throw new EOFException("a scratch file in " + scratch + " was cut short");
            }
        }
    }

    private FileChannel opened() throws IOException {
        FileChannel there = file;
        if (there == null) {
            there = FileChannel.open(
                    scratch.resolve(UUID.randomUUID() + ".names"),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE); // on Linux its name is deleted as soon as it is open
            file = there;
        }
        return there;
    }

    @Override
    public void close() throws IOException {
        FileChannel there = file;
        if (there != null) {
            there.close();
        }
    }
}
