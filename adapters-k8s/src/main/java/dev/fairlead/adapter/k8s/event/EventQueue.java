package dev.fairlead.adapter.k8s.event;

import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events one after the other on a thread of its own, so that nobody waits for a server that takes them slowly
 * or not at all. So many may wait, and each for so long; what is dropped is counted.
 */
public final class EventQueue implements EventRecorder {
    /** The most that wait: as many as are allowed at once, and some. */
    static final int MOST_WAITING = 128;

    /** The longest time that one waits: later it would tell of what has passed. */
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(EventQueue.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final ThreadFactory threads;
    private final LongSupplier nanos;
    private final Queue<Waits> queue = new ArrayDeque<>();
    private final AtomicLong dropped = new AtomicLong();
    private final CountDownLatch done = new CountDownLatch(1);
    private boolean begun;
    private boolean closed;

    private record Waits(Runnable recording, long since) {}

    /** @param threads makes the thread, once there is something to record */
    public EventQueue(ThreadFactory threads) {
        this(threads, System::nanoTime);
    }

    EventQueue(ThreadFactory threads, LongSupplier nanos) {
        this.threads = threads;
        this.nanos = nanos;
    }

    @Override
    public synchronized boolean offer(Runnable recording) {
        if (closed || queue.size() >= MOST_WAITING) {
            dropped.incrementAndGet();
            return false;
        }
        queue.add(new Waits(recording, nanos.getAsLong()));
        notifyAll();
        if (!begun) begin();
        return true;
    }

    /** Starts the thread; if none can be had, the next offer tries again, and whoever tells of something goes on. */
    private void begin() {
        try {
            threads.newThread(this::record).start();
            begun = true;
        } catch (RuntimeException | Error e) {
            log.atError().setCause(e).log("no thread for events; they wait for the next one");
        }
    }

    @Override
    public long dropped() {
        return dropped.get();
    }

    private void record() {
        try {
            Optional<Waits> next = take();
            while (next.isPresent()) {
                record(next.get());
                next = take();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            done.countDown();
        }
    }

    private void record(Waits next) {
        if (nanos.getAsLong() - next.since() > LONGEST_WAIT.toNanos()) {
            dropped.incrementAndGet();
            return;
        }
        try {
            next.recording().run();
        } catch (StorageException e) {
            dropped.incrementAndGet();
            log.atDebug().addKeyValue("reason", e.failure().message()).log("an event was not recorded");
        } catch (RuntimeException | Error e) { // those after it are still to be recorded
            dropped.incrementAndGet();
            log.atError().setCause(e).log("an event could not be made");
        }
    }

    private synchronized Optional<Waits> take() throws InterruptedException {
        while (queue.isEmpty() && !closed) {
            wait();
        }
        return Optional.ofNullable(queue.poll());
    }

    private synchronized boolean end() {
        closed = true;
        notifyAll();
        return begun;
    }

    @Override
    public void close() {
        try {
            if (end() && !done.await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
                log.atWarn().log("Kubernetes does not take the last events in time");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
