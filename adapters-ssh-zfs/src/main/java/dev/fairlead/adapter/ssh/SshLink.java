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
 * Keeps the one session of a connection. The first caller that needs it has it opened by a thread of its own, so that
 * the attempt may outlast that caller; all others wait for the same attempt. After a failed attempt the host is left
 * alone for a while, and a caller within that time is told the reason at once.
 */
final class SshLink implements AutoCloseable {
    /** A pause up to which a caller waits for the next attempt instead of being refused. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** The interval at which a waiting caller is checked for cancellation. */
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(SshLink.class);

    /** Opens a session and blocks meanwhile. */
    interface Opener {
        ClientSession open() throws IOException;
    }

    private final String connection;
    private final Opener opener;
    private final Backoff backoff;
    private final InstantSource clock;
    private final ThreadFactory threads;

    /** The number of users of each open session, including those sessions that no new user gets. */
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

    /**
     * Returns an open session, which the caller must give back to {@link #leave}. If this fails, nothing has been done
     * on the host.
     */
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
     * @param usedUp whether a program was left on it whose channel the server may still have open: its other users go
     *     on, and new ones get a new session
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

    /**
     * Returns the attempt that had failed before the caller came, which says little about now; after it the caller
     * makes one of its own.
     */
    private synchronized Optional<CompletableFuture<ClientSession>> failedAttempt() {
        return attempt.filter(CompletableFuture::isCompletedExceptionally);
    }

    /**
     * Returns the current attempt if it is under way, has led to an open session or may not be repeated yet; otherwise
     * begins a new one.
     */
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
        attempt = Optional.of(begun); // only once the thread runs, which alone can complete it
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
            // Every failure has to complete the attempt; its callers would otherwise wait for ever.
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
        // A host that accepts the login and then disconnects at once gets a pause too.
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
