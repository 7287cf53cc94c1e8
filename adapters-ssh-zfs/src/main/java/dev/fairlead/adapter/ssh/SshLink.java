package dev.fairlead.adapter.ssh;

import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.sshd.client.session.ClientSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one session of a connection. It is opened when the first asks, by a thread of its own, so that an attempt
 * outlives a caller who has less time; all who ask meanwhile wait for the same attempt. After one that failed the host
 * is left alone for a while, and who asks within that time is told at once why.
 */
final class SshLink implements AutoCloseable {
    /** Within so much it is better to wait than to refuse. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** So often it is seen that a caller has gone. */
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(SshLink.class);

    /** Opens a session; blocks. */
    interface Opener {
        ClientSession open() throws IOException;
    }

    private final String connection;
    private final Opener opener;
    private final Backoff backoff;
    private final InstantSource clock;
    private final ThreadFactory threads;

    /** How many use each session that is open, those included that are used up. */
    private final Map<ClientSession, Integer> users = new HashMap<>();

    private Optional<CompletableFuture<ClientSession>> attempt = Optional.empty();
    private int failures;
    private Instant notBefore;
    private boolean closed;

    SshLink(String connection, Opener opener, Backoff backoff, InstantSource clock, ThreadFactory threads) {
        this.connection = connection;
        this.opener = opener;
        this.backoff = backoff;
        this.clock = clock;
        this.threads = threads;
        this.notBefore = clock.instant();
    }

    /** An open session, to be given back by {@link #leave}. Nothing has been done on the host where this fails. */
    ClientSession session(Work work) throws InterruptedException {
        Instant giveUp = clock.instant().plus(work.left());
        Optional<CompletableFuture<ClientSession>> failedBefore = failedAttempt();
        while (true) {
            work.checkCancelled();
            Duration left = Duration.between(clock.instant(), giveUp);
            CompletableFuture<ClientSession> opening = attempt();
            try {
                ClientSession session =
                        opening.get(Math.min(Math.max(left.toNanos(), 0), LOOK_UP.toNanos()), TimeUnit.NANOSECONDS);
                if (isTaken(opening, session)) {
                    return session;
                }
                TimeUnit.NANOSECONDS.sleep(remaining().toNanos());
            } catch (TimeoutException _) {
                if (!left.isPositive()) {
                    throw unavailable("it is still being connected to", null);
                }
            } catch (ExecutionException e) {
                Duration pause = remaining();
                boolean old = failedBefore.equals(Optional.of(opening));
                if (!old || pause.compareTo(SHORT) > 0 || pause.compareTo(left) > 0) {
                    throw unavailable(SshFailures.detail(e.getCause()), e.getCause());
                }
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        }
    }

    private synchronized boolean isTaken(CompletableFuture<ClientSession> opening, ClientSession session) {
        boolean current = attempt.equals(Optional.of(opening)) && session.isOpen();
        if (current) {
            users.merge(session, 1, Integer::sum);
        }
        return current;
    }

    /**
     * Ends one use of a session.
     *
     * @param usedUp whether something was left on it whose channel the server may not get back: others go on there, and
     *     whoever comes gets a new one
     */
    synchronized void leave(ClientSession session, boolean usedUp) {
        if (usedUp
                && attempt.filter(known -> isOver(known) && known.join().equals(session))
                        .isPresent()) {
            attempt = Optional.empty();
        }
        boolean last = users.merge(session, -1, (known, one) -> known + one == 0 ? null : known + one) == null;
        boolean current = attempt.filter(known -> isOver(known) && known.join().equals(session))
                .isPresent();
        if (last && !current) {
            session.close(true);
        }
    }

    /** One that failed before somebody came says little about now; after it, one of his own is made. */
    private synchronized Optional<CompletableFuture<ClientSession>> failedAttempt() {
        return attempt.filter(CompletableFuture::isCompletedExceptionally);
    }

    /** The attempt that is under way or has led to a session; a new one where neither is and the time has come. */
    private synchronized CompletableFuture<ClientSession> attempt() {
        if (closed) {
            throw unavailable("its file has changed or it is no longer used", null);
        }
        boolean usable =
                attempt.filter(known -> !known.isDone() || isOpen(known)).isPresent();
        boolean early = clock.instant().isBefore(notBefore);
        if (attempt.isPresent() && (usable || early)) {
            return attempt.get();
        }
        CompletableFuture<ClientSession> begun = new CompletableFuture<>();
        threads.newThread(() -> open(begun)).start();
        attempt = Optional.of(begun); // not where no thread can be had: nobody would end it
        return begun;
    }

    private static boolean isOpen(CompletableFuture<ClientSession> done) {
        return !done.isCompletedExceptionally() && done.join().isOpen();
    }

    private void open(CompletableFuture<ClientSession> begun) {
        try {
            ClientSession session = opener.open();
            if (accepted(session)) {
                begun.complete(session);
            } else {
                session.close(true);
                begun.completeExceptionally(new IOException("it is no longer used"));
            }
        } catch (IOException | RuntimeException | Error e) {
            // Whatever it is: who waits for the attempt would wait for ever.
            Duration pause = failed();
            log.atWarn()
                    .addKeyValue("connection", connection)
                    .addKeyValue("reason", SshFailures.detail(e))
                    .addKeyValue("againAfterMs", pause.toMillis())
                    .log("the storage host cannot be entered");
            begun.completeExceptionally(e);
        }
    }

    private synchronized boolean accepted(ClientSession session) {
        failures = 0;
        // A host that lets in and hangs up at once is not asked without a pause either.
        notBefore = clock.instant().plus(backoff.first());
        return !closed && session.isOpen();
    }

    private synchronized Duration failed() {
        failures++;
        Duration pause = backoff.after(failures - 1);
        notBefore = clock.instant().plus(pause);
        return pause;
    }

    private synchronized Duration remaining() {
        Duration left = Duration.between(clock.instant(), notBefore);
        return left.isNegative() ? Duration.ZERO : left;
    }

    StorageException unavailable(String detail, @Nullable Throwable cause) {
        return new StorageException(new Failure.BackendUnavailable(connection, detail), cause);
    }

    @Override
    public synchronized void close() {
        closed = true;
        attempt.filter(SshLink::isOver).ifPresent(done -> done.join().close(true));
        users.keySet().forEach(session -> session.close(true));
    }

    private static boolean isOver(CompletableFuture<ClientSession> known) {
        return known.isDone() && !known.isCompletedExceptionally();
    }
}
