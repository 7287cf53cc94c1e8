package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** Makes threads that end with their test, so that none of them writes to a folder that is being deleted. */
public final class EndingThreads implements ThreadFactory, AutoCloseable {
    private static final Duration MOST = Duration.ofSeconds(20);
    private static final Duration LEFT_BEHIND = Duration.ofSeconds(2);

    private final List<Thread> made = new CopyOnWriteArrayList<>();

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = MountSandbox.THREADS.newThread(task);
        made.add(thread);
        return thread;
    }

    /** Ends them, and lets what they have left behind in the kernel write to its end, if it has one. */
    public void close(KernelThreads kernel) {
        close();
        long end = System.nanoTime() + LEFT_BEHIND.toNanos();
        while (kernel.leftBehind() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    /** Interrupts each thread and waits for its end. */
    @Override
    public void close() {
        made.forEach(Thread::interrupt);
        try {
            for (Thread each : made) {
                if (!each.join(MOST)) {
                    throw new IllegalStateException(each.getName() + " does not end: " + List.of(each.getStackTrace()));
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
