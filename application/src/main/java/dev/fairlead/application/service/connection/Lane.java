package dev.fairlead.application.service.connection;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the storage calls of one connection on a bounded number of threads, so that storage that hangs blocks these and
 * no others.
 *
 * <p>They are platform threads: file access and foreign calls pin the carrier of a virtual thread, and a few calls
 * stuck in the kernel would then stop every connection. The caller is never stuck: a read is abandoned when patience
 * ends, and a change that has not begun by then does not begin. A change that has begun is waited for, since its locks
 * must be held until it ends; the component that serves the caller deals with the caller's deadline.
 */
public final class Lane {
    private static final Duration IDLE = Duration.ofSeconds(20);
    private static final int WAITING_PER_THREAD = 8;

    private final ConnectionName connection;
    private final int concurrency;
    private final Duration patience;
    private final InstantSource clock;
    private final Telemetry telemetry;
    private final Threads threads;
    private final Set<Call<?>> running = ConcurrentHashMap.newKeySet();

    Lane(
            ConnectionName connection,
            int concurrency,
            Duration patience,
            ThreadFactory factory,
            InstantSource clock,
            Telemetry telemetry) {
        this.connection = connection;
        this.concurrency = concurrency;
        this.patience = patience;
        this.clock = clock;
        this.telemetry = telemetry;
        this.threads = new Threads(concurrency, task -> {
            Thread thread = factory.newThread(task);
            thread.setName("lane-" + connection);
            return thread;
        });
    }

    /** Answers what the action answers, if it does so before patience and the caller's time end. */
    <T> T read(Work work, String what, Supplier<T> action) {
        return submit(work, what, action).answer(shorter(patience, work.left()));
    }

    /** Starts a read whose answer is fetched later, so that several connections can be asked at once. */
    <T> Question<T> ask(Work work, String what, Supplier<T> action) {
        Call<T> call = submit(work, what, action);
        call.isQuestion = true;
        return most -> call.answer(shorter(shorter(most, patience), work.left()));
    }

    /** Runs the action to its end; if it cannot begin before patience and the caller's time end, it never does. */
    <T> T change(Work work, String what, Supplier<T> action) {
        return submit(work, what, action).outcome(shorter(patience, work.left()));
    }

    /**
     * Starts a change that runs beside others of its caller, which waits for its end later. It waits for its turn for
     * as long as patience lasts, whatever time its caller has, since it belongs to work that goes on without the
     * caller.
     */
    <T> Change<T> begin(Work work, String what, Supplier<T> action) {
        Call<T> call = submit(work, what, action);
        return new Change<>() {
            @Override
            public T outcome() {
                return call.outcome(patience);
            }

            @Override
            public T within(Duration most) {
                return call.answer(most);
            }
        };
    }

    /** Returns whether no call is at work on the storage or waits for its turn, abandoned ones included. */
    boolean isEmpty() {
        return threads.getActiveCount() == 0 && threads.getQueue().isEmpty();
    }

    /**
     * Returns whether a question of {@link #ask} that its caller has given up is still unanswered: another one would
     * wait in vain. Other reads do not count, since a connection can answer while it reads a long list.
     */
    boolean isSilent() {
        return running.stream().anyMatch(call -> call.isQuestion && call.givenUp);
    }

    /** Returns how many calls are at work. */
    int running() {
        return running.size();
    }

    /** Returns how many calls wait for a thread. */
    int waiting() {
        return threads.getQueue().size();
    }

    /** Takes no more calls, and runs the action once the last one has ended; never, if that one is stuck. */
    void close(Runnable afterTheLast) {
        threads.afterTheLast.set(afterTheLast);
        threads.shutdown();
    }

    private <T> Call<T> submit(Work work, String what, Supplier<T> action) {
        if (isStuck()) {
            throw unavailable("all of its " + concurrency + " calls at once are stuck");
        }
        var call = new Call<>(work, what, action);
        try {
            threads.execute(call);
        } catch (RejectedExecutionException _) {
            throw unavailable(concurrency + " calls are at work and " + concurrency * WAITING_PER_THREAD + " wait");
        }
        return call;
    }

    /**
     * Returns whether waiting is useless: every thread is in a call that has run longer than patience without progress.
     */
    private boolean isStuck() {
        Instant longAgo = clock.instant().minus(patience);
        // Counted, since calls end while this looks: where none is left, all of them would be stuck.
        return running.stream()
                        .filter(call -> call.since.isBefore(longAgo)
                                && call.work.progressSoFar().isEmpty())
                        .count()
                >= concurrency;
    }

    private StorageException unavailable(String why) {
        telemetry.abandoned(connection);
        return new StorageException(new Failure.BackendUnavailable(connection.value(), why + oldest()));
    }

    private String oldest() {
        Optional<Call<?>> oldest = running.stream().min(Comparator.comparing((Call<?> call) -> call.since));
        return oldest.map(call -> "; its oldest call is " + call.work.what() + " (" + call.what + "), at work for "
                        + Duration.between(call.since, clock.instant()).toSeconds() + " s")
                .orElse("");
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Waits for the answer of a read that was started. */
    @FunctionalInterface
    interface Question<T> {
        /** Waits at most so long, and no longer than the caller does. */
        T answer(Duration most);
    }

    /** Waits for the end of a change that was started. */
    public interface Change<T> {
        /** Waits for its turn as long as patience lasts, and then for its end. */
        T outcome();

        /** Waits for its end no longer than this; then stops waiting, and the change goes on. */
        T within(Duration most);
    }

    private enum State {
        WAITING,
        BEGUN,
        ABANDONED
    }

    /** Runs one call on a thread of this lane, and keeps its result. */
    private final class Call<T> implements Runnable {
        private final Work work;
        private final String what;
        private final Supplier<T> action;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile Instant since = Instant.MAX;
        private volatile boolean isQuestion;
        private volatile boolean givenUp;
        private @Nullable Supplier<T> result;

        Call(Work work, String what, Supplier<T> action) {
            this.work = work;
            this.what = what;
            this.action = action;
        }

        @Override
        public void run() {
            if (!state.compareAndSet(State.WAITING, State.BEGUN)) {
                return;
            }
            since = clock.instant();
            running.add(this);
            begun.countDown();
            try {
                T value = action.get();
                result = () -> value;
            } catch (RuntimeException thrown) { // any exception is handed to the thread that waits
                result = () -> {
                    throw thrown;
                };
            } catch (Error thrown) {
                result = () -> {
                    throw thrown;
                };
            } finally {
                running.remove(this);
                ended.countDown();
            }
        }

        T answer(Duration most) {
            if (!waitFor(ended, most)) {
                givenUp = !state.compareAndSet(State.WAITING, State.ABANDONED);
                threads.remove(this);
                throw unavailable("it did not answer (" + what + ") within " + Math.max(0, most.toMillis()) + " ms");
            }
            return value();
        }

        T outcome(Duration mostToBegin) {
            if (!waitFor(begun, mostToBegin) && state.compareAndSet(State.WAITING, State.ABANDONED)) {
                threads.remove(this);
                throw unavailable(what + " could not begin within " + Math.max(0, mostToBegin.toMillis())
                        + " ms; nothing was changed");
            }
            waitForTheEnd();
            return value();
        }

        private T value() {
            Supplier<T> known = result;
            if (known == null) {
                throw new IllegalStateException("a call that has ended has a result");
            }
            return known.get();
        }

        private boolean waitFor(CountDownLatch latch, Duration most) {
            try {
                return latch.await(most.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        private void waitForTheEnd() {
            boolean interrupted = Thread.interrupted();
            while (true) {
                try {
                    ended.await();
                    break;
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs tasks on a pool that ends idle threads, and runs an action when the pool has ended. */
    private static final class Threads extends ThreadPoolExecutor {
        private final AtomicReference<Runnable> afterTheLast = new AtomicReference<>(() -> {});

        Threads(int concurrency, ThreadFactory factory) {
            super(
                    concurrency,
                    concurrency,
                    IDLE.toSeconds(),
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(concurrency * WAITING_PER_THREAD),
                    factory);
            allowCoreThreadTimeOut(true);
        }

        /**
         * Runs the last action on a thread of its own, since the thread that ends the pool may be a caller's, and
         * closing a client may take long.
         */
        @Override
        protected void terminated() {
            getThreadFactory().newThread(afterTheLast.get()).start();
        }
    }
}
