package dev.fairlead.adapter.node.mount;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/** Makes threads that end with their test, so that none of them writes to a folder that is being deleted. */
public final class EndingThreads implements ThreadFactory, AutoCloseable {
    private static final Duration MOST = Duration.ofSeconds(20);

    private final List<Thread> made = new CopyOnWriteArrayList<>();

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = MountSandbox.THREADS.newThread(task);
        made.add(thread);
        return thread;
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
