package dev.fairlead.adapter.ssh;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the beginning of what is written to it, and knows whether there was more. */
final class BoundedText extends OutputStream {
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final int most;
    private final Runnable onOverflow;
    private boolean overflowed;

    BoundedText(int most, Runnable onOverflow) {
        this.most = most;
        this.onOverflow = onOverflow;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        if (keep(bytes, offset, length)) {
            onOverflow.run();
        }
    }

    /** Keeps what there is room for and returns whether this call is the first one that exceeds the limit. */
    private synchronized boolean keep(byte[] bytes, int offset, int length) {
        int room = most - kept.size();
        kept.write(bytes, offset, Math.min(room, length));
        boolean before = overflowed;
        overflowed = before || length > room;
        return overflowed && !before;
    }

    synchronized boolean overflowed() {
        return overflowed;
    }

    synchronized String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }
}
