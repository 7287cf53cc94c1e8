package dev.fairlead.lab.abuse.machine;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Notes when the machine itself delayed two that had nothing to do but to sleep and to answer each other, so that the
 * driver is not blamed for it: a thread, and a process that sends back each byte that it gets, both with the driver's
 * claim to a processor. That is as often as a Probe changes from one process to another and back.
 */
public final class Pulse implements AutoCloseable {
    private static final long BEAT_NANOS = 5_000_000;
    private static final long LONGEST_NANOS = 3 * BEAT_NANOS;
    private static final int KEPT = 10_000;
    private static final String ECHO = "renice -n 0 -p $$ >/dev/null; exec cat";

    private final Deque<Stall> stalls = new ArrayDeque<>();
    private final Process echo;
    private long beatBegan;
    private volatile boolean stopped;

    public Pulse() throws IOException {
        echo = new ProcessBuilder("sh", "-c", ECHO)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answered(); // the first answer waits for the process to start
        beatBegan = System.nanoTime();
        Thread _ = Thread.ofPlatform().daemon().name("pulse").start(this::beats);
    }

    private record Stall(long from, long to) {
        long within(long begin, long end) {
            return Math.max(0, Math.min(end, to) - Math.max(begin, from));
        }
    }

    private void beats() {
        ThreadPriority.asTheDriver();
        try {
            while (!stopped) {
                LockSupport.parkNanos(BEAT_NANOS);
                answered();
                end();
            }
        } catch (IOException e) {
            if (!stopped) {
                throw new IllegalStateException("the echo has ended", e);
            }
        }
    }

    private void answered() throws IOException {
        var out = echo.getOutputStream();
        out.write('.');
        out.flush();
        if (echo.getInputStream().read() < 0) {
            throw new IOException("it says nothing more");
        }
    }

    /** Notes the beat that ends now if it was too long; the next begins. */
    private synchronized void end() {
        long now = System.nanoTime();
        if (now - beatBegan > LONGEST_NANOS) {
            stalls.addLast(new Stall(beatBegan + BEAT_NANOS, now));
            if (stalls.size() > KEPT) {
                stalls.removeFirst();
            }
        }
        beatBegan = now;
    }

    /**
     * Returns for how many nanoseconds of an interval that has just ended the machine stalled, a stall that still lasts
     * among them; both ends are readings of {@link System#nanoTime()}.
     */
    public synchronized long stalled(long from, long to) {
        long lasting = to - beatBegan > LONGEST_NANOS ? new Stall(beatBegan + BEAT_NANOS, to).within(from, to) : 0;
        return lasting
                + stalls.stream().mapToLong(stall -> stall.within(from, to)).sum();
    }

    @Override
    public void close() {
        stopped = true;
        echo.destroy();
    }
}
