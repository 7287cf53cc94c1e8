package dev.fairlead.lab.abuse.machine;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * Notes when the machine itself delayed a thread that had nothing to wait for, so that the driver is not blamed for it.
 */
public final class Pulse implements AutoCloseable {
    private static final long BEAT_NANOS = 5_000_000;
    private static final int KEPT = 10_000;

    private final Deque<Stall> stalls = new ConcurrentLinkedDeque<>();
    private volatile boolean stopped;

    public Pulse() {
        Thread _ = Thread.ofPlatform().daemon().name("pulse").start(this::beat);
    }

    private record Stall(long from, long to) {}

    private void beat() {
        ThreadPriority.asTheDriver();
        while (!stopped) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(BEAT_NANOS);
            long end = System.nanoTime();
            if (end - begin > 3 * BEAT_NANOS) {
                stalls.addLast(new Stall(begin + BEAT_NANOS, end));
                if (stalls.size() > KEPT) {
                    var _ = stalls.pollFirst();
                }
            }
        }
    }

    /**
     * Returns for how many nanoseconds of an interval the machine stalled; both ends are readings of
     * {@link System#nanoTime()}.
     */
    public long stalled(long from, long to) {
        return stalls.stream()
                .mapToLong(stall -> Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)))
                .sum();
    }

    @Override
    public void close() {
        stopped = true;
    }
}
