package dev.fairlead.lab.abuse;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Remembers when the driver was down because it had been killed, so that calls of that time are excused. */
final class Outages {
    /** The time that a client that was cut off needs until it is connected again. */
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final List<long[]> closed = new CopyOnWriteArrayList<>();
    private volatile long openSince;
    private volatile boolean open;

    void begin() {
        openSince = System.nanoTime();
        open = true;
    }

    void end() {
        closed.add(new long[] {openSince, System.nanoTime() + RECONNECT_NANOS});
        open = false;
    }

    /**
     * Returns whether the driver was down, or clients not yet connected again, at any moment between two readings of
     * {@link System#nanoTime()}.
     */
    boolean touched(long from, long to) {
        if (open && to - openSince >= 0) {
            return true;
        }
        return closed.stream().anyMatch(outage -> to - outage[0] >= 0 && outage[1] - from >= 0);
    }

    /** Returns whether the driver was down at any moment between two readings; the time of reconnecting is not part. */
    boolean wasDown(long from, long to) {
        if (open && to - openSince >= 0) {
            return true;
        }
        return closed.stream().anyMatch(outage -> to - outage[0] >= 0 && outage[1] - RECONNECT_NANOS - from >= 0);
    }

    int count() {
        return closed.size();
    }
}
