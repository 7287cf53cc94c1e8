package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what the kernel does in its own time, and does not tell when it has. */
public record KernelWait(Duration most) {
    private static final Duration POLL = Duration.ofMillis(50);

    /** Returns whether it came to be, within the time and the caller's. */
    public boolean until(BooleanSupplier condition, Work work) {
        long end = System.nanoTime()
                + Math.min(most.toNanos(), Math.max(work.left().toNanos(), 0));
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            work.checkCancelled();
            Backoff.pause(POLL, work);
        }
        return true;
    }
}
