package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the attempts to connect that run. The kernel's connecting cannot be stopped, so an attempt goes on when its
 * call has ended: a call that comes again joins it instead of beginning another beside it, and what it brings after
 * everybody has gone is ended unless a volume needs it.
 */
final class ConnectAttempts {
    /** The longest time for one attempt; the kernel's own time-outs, of a minute each, end it long before. */
    private static final Duration LONGEST = Duration.ofHours(24);

    private static final Duration ENDING = Duration.ofSeconds(30);
    private static final Backoff BETWEEN_ENDINGS = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(1));
    private static final Logger log = LoggerFactory.getLogger(ConnectAttempts.class);

    private final ThreadFactory threads;
    private final Map<String, Attempt> running = new HashMap<>();
    private final List<String> unsettled = new ArrayList<>();

    ConnectAttempts(ThreadFactory threads) {
        this.threads = threads;
    }

    /** Decides over connections that are made after the calls that wanted them have ended. */
    interface Owner {
        /** Returns whether a volume of the subsystem is attached, or may be attached by a repeated call. */
        boolean wants(String nqn);

        /**
         * Ends the connections to a subsystem unless a volume needs them.
         *
         * @param brought whether the attempt may have made one; if not, only what is known of a subsystem without
         *     connections is forgotten
         */
        void endUnlessWanted(String nqn, boolean brought, Work work);
    }

    /** Connects by one way, for as long as the kernel takes. */
    final class Attempt {
        private final String key;
        private final String nqn;
        private final NvmeofTransport way;
        private final long began = System.nanoTime();
        private final CompletableFuture<Optional<TransportTrouble>> end = new CompletableFuture<>();
        private int waiting;

        private Attempt(String key, String nqn, NvmeofTransport way) {
            this.key = key;
            this.nqn = nqn;
            this.way = way;
        }

        boolean isOlderThan(long moment) {
            return began - moment < 0;
        }

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - began);
        }

        /** Waits for the end. */
        Optional<TransportTrouble> await(long until, Work work) throws TimeoutException {
            try {
                return end.get(Math.max(until - System.nanoTime(), 1), TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new StorageException(new Failure.Cancelled(work.what()));
            } catch (ExecutionException e) {
                if (e.getCause() instanceof StorageException failed) {
                    throw failed;
                }
                throw new IllegalStateException("a connection failed in an unknown way", e);
            }
        }

        /** Ends the wait of a call that holds the subsystem still. */
        void leave() {
            synchronized (ConnectAttempts.this) {
                waiting--;
            }
        }
    }

    /** Goes on without its caller for as long as its end is of use to somebody. */
    private record LastingWork(Work work, Duration left, BooleanSupplier wanted) implements ForwardingWork {
        @Override
        public void checkCancelled() {
            if (!wanted.getAsBoolean()) {
                throw new StorageException(new Failure.Cancelled(what()));
            }
        }

        @Override
        public Work finishing() {
            return this;
        }

        @Override
        public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
            checkCancelled();
            work.effect(effect, action);
        }
    }

    /** Returns how many attempts at a subsystem run, or have brought something that is not decided over yet. */
    synchronized long count(String nqn) {
        return running.values().stream().filter(it -> it.nqn.equals(nqn)).count()
                + unsettled.stream().filter(nqn::equals).count();
    }

    /**
     * Returns the attempt that runs by this way, or begins one.
     *
     * @param awaited whether the caller holds the subsystem, and uses what comes of it until it leaves the attempt
     */
    synchronized Attempt join(
            String nqn,
            NvmeofTransport way,
            boolean awaited,
            Owner owner,
            Work work,
            Function<Work, Optional<TransportTrouble>> connect) {
        String key = nqn + " " + way.place();
        Attempt attempt = running.get(key);
        if (attempt == null) {
            Attempt fresh = new Attempt(key, nqn, way);
            LastingWork lasting =
                    new LastingWork(work.finishing(), LONGEST, () -> isAwaited(fresh) || owner.wants(nqn));
            threads.newThread(() -> run(fresh, owner, lasting, connect)).start();
            running.put(key, fresh);
            attempt = fresh;
        }
        if (awaited) {
            attempt.waiting++;
        }
        return attempt;
    }

    private synchronized boolean isAwaited(Attempt attempt) {
        return attempt.waiting > 0;
    }

    private void run(
            Attempt attempt, Owner owner, LastingWork work, Function<Work, Optional<TransportTrouble>> connect) {
        Runnable answer;
        boolean brought;
        try {
            Optional<TransportTrouble> trouble = connect.apply(work);
            answer = () -> attempt.end.complete(trouble);
            brought = trouble.isEmpty();
        } catch (RuntimeException | Error e) { // an attempt that nobody ends would be joined by each call from now on
            answer = () -> attempt.end.completeExceptionally(e);
            brought = !isCancelled(e);
        }
        synchronized (this) {
            running.remove(attempt.key, attempt);
            answer.run();
            if (attempt.waiting > 0) {
                return; // whoever waits holds the subsystem, and goes on with it
            }
            unsettled.add(attempt.nqn);
        }
        try {
            settle(attempt, brought, owner, new LastingWork(work.work(), ENDING, () -> true));
        } finally {
            synchronized (this) {
                unsettled.remove(attempt.nqn);
            }
        }
    }

    /** Returns whether an attempt ended before it began, as nobody wanted it any more. */
    private static boolean isCancelled(Throwable thrown) {
        return thrown instanceof StorageException known && known.failure() instanceof Failure.Cancelled;
    }

    /** Lets the owner decide, until it has. */
    private static void settle(Attempt attempt, boolean brought, Owner owner, Work work) {
        for (int i = 0; ; i++) {
            try {
                owner.endUnlessWanted(attempt.nqn, brought, work);
                return;
            } catch (RuntimeException | Error e) { // whatever it is, the connection is not left unlooked at
                log.atWarn()
                        .addKeyValue("subsystem", attempt.nqn)
                        .addKeyValue("transport", attempt.way)
                        .addKeyValue("why", String.valueOf(e.getMessage()))
                        .log("a connection that came after its call had ended could not be looked at; it is tried"
                                + " again");
            }
            try {
                Backoff.pause(BETWEEN_ENDINGS.after(i));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
