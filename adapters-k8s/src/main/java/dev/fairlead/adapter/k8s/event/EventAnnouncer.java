package dev.fairlead.adapter.k8s.event;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes announcements by events, on one thread of its own.
 *
 * <p>A connection whose file is broken and mended in a loop makes one event with a count, not thousands, and no more
 * than the budget allows; what is dropped is counted. Volumes have a budget and room of their own, since who uses one
 * can make it well and unwell at will.
 */
public final class EventAnnouncer implements Announcer {
    /** The most announcements that wait: more connections than this in trouble at once are one trouble. */
    static final int MOST_WAITING = 128;

    private static final Logger log = LoggerFactory.getLogger(EventAnnouncer.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final PodEvents events;
    private final Budgets budgets;
    private final ThreadFactory threads;
    private final Duration lastWords;
    private final Waiting waiting = new Waiting(MOST_WAITING);
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean refused = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);

    public EventAnnouncer(PodEvents events, Budgets budgets, ThreadFactory threads) {
        this(events, budgets, threads, LAST_WORDS);
    }

    EventAnnouncer(PodEvents events, Budgets budgets, ThreadFactory threads, Duration lastWords) {
        this.events = events;
        this.budgets = budgets;
        this.threads = threads;
        this.lastWords = lastWords;
    }

    /**
     * Holds what may be told.
     *
     * @param volumes of volumes
     * @param others of all else
     */
    public record Budgets(Budget volumes, Budget others) {
        Budget of(Announcement announcement) {
            return announcement.kind().isOfVolume() ? volumes : others;
        }
    }

    @Override
    public void announce(Announcement announcement) {
        if (!waiting.offer(announcement)) {
            dropped.incrementAndGet();
        }
        if (!begun.getAndSet(true)) {
            begin();
        }
    }

    /** Starts the thread; if none can be had, the next announcement tries again, and whoever announces goes on. */
    private void begin() {
        try {
            threads.newThread(this::tell).start();
        } catch (RuntimeException | Error e) {
            begun.set(false);
            log.atError().setCause(e).log("no thread for events; they wait for the next announcement");
        }
    }

    @Override
    public long dropped() {
        return dropped.get();
    }

    private void tell() {
        try {
            Optional<Waiting.Told> next = waiting.take();
            while (next.isPresent()) {
                tell(next.get());
                next = waiting.take();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            done.countDown();
        }
    }

    private void tell(Waiting.Told told) {
        try {
            if (!budgets.of(told.announcement()).spend()) {
                dropped.addAndGet(told.times());
                return;
            }
            events.record(told.announcement(), told.times());
            refused.set(false);
        } catch (StorageException e) {
            dropped.addAndGet(told.times());
            complain(e.failure().code() + " " + e.failure().message());
        } catch (RuntimeException | Error e) { // the announcements after it are still to be told
            dropped.addAndGet(told.times());
            log.atError().setCause(e).log("an event could not be made");
        }
    }

    /** Warns once until it works again; the log has each announcement anyway. */
    private void complain(String reason) {
        if (!refused.getAndSet(true)) {
            log.atWarn().addKeyValue("reason", reason).log("an event could not be recorded in Kubernetes");
        }
    }

    @Override
    public void close() {
        waiting.close();
        try {
            if (begun.get() && !done.await(lastWords.toMillis(), TimeUnit.MILLISECONDS)) {
                log.atWarn().log("Kubernetes does not take the last events in time");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
