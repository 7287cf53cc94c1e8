package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.application.port.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the one session with a box. The first caller that needs it has it opened by a thread of its own, so that the
 * attempt may outlast that caller; all others wait for the same attempt. After a failed attempt the box is left alone
 * for a while, and a caller within that time is told the reason at once.
 */
final class SessionLink implements AutoCloseable {
    /** A pause up to which a caller waits for the next attempt instead of being refused. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    /** A box that limits logins counts those of a minute. */
    private static final Duration LIMITED = Duration.ofSeconds(60);

    private static final Logger log = LoggerFactory.getLogger(SessionLink.class);

    /** Opens a session and blocks meanwhile. */
    interface Opener extends AutoCloseable {
        Session open() throws SessionException, InterruptedException;

        @Override
        void close();
    }

    private final String box;
    private final Opener opener;
    private final Backoff backoff;
    private final InstantSource clock;
    private final ThreadFactory threads;
    private Optional<CompletableFuture<Session>> attempt = Optional.empty();
    private int failures;
    private Instant notBefore;
    private boolean closed;

    /** @param box the box's name, for the log */
    SessionLink(String box, Opener opener, Backoff backoff, InstantSource clock, ThreadFactory threads) {
        this.box = box;
        this.opener = opener;
        this.backoff = backoff;
        this.clock = clock;
        this.threads = threads;
        this.notBefore = clock.instant();
    }

    /** Returns an open session. If this fails, nothing has been done on the box. */
    Session session(Duration patience, Runnable between) throws SessionException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        Optional<CompletableFuture<Session>> failedBefore = failedAttempt();
        while (true) {
            between.run();
            CompletableFuture<Session> opening = attempt();
            long left = end - System.nanoTime();
            try {
                Session session = opening.get(Math.max(0, Math.min(left, LOOK_UP.toNanos())), TimeUnit.NANOSECONDS);
                if (session.isOpen()) {
                    return session;
                }
                pause(Duration.ofNanos(left));
            } catch (TimeoutException _) {
                if (left <= LOOK_UP.toNanos()) {
                    throw new SessionException(Kind.NOT_DONE, "it is still being connected to");
                }
            } catch (ExecutionException e) {
                boolean isOld = failedBefore.equals(Optional.of(opening));
                if (!isOld || remaining().compareTo(SHORT) > 0 || remaining().toNanos() > left) {
                    throw e.getCause() instanceof SessionException known
                            ? new SessionException(known.kind(), known.detail())
                            : new SessionException(Kind.NOT_DONE, "it could not be connected to");
                }
                pause(Duration.ofNanos(left));
            }
        }
    }

    /** Says whether there is an open session, without opening one. */
    synchronized boolean hasSession() {
        return attempt.filter(SessionLink::isOpen).isPresent();
    }

    private void pause(Duration left) throws SessionException, InterruptedException {
        Duration wait = remaining();
        if (wait.compareTo(left) > 0) {
            throw new SessionException(Kind.NOT_DONE, "its session was lost a moment ago");
        }
        Backoff.pause(wait);
    }

    /** Returns the attempt that had failed before the caller came, which says little about now. */
    private synchronized Optional<CompletableFuture<Session>> failedAttempt() {
        return attempt.filter(CompletableFuture::isCompletedExceptionally);
    }

    private synchronized CompletableFuture<Session> attempt() throws SessionException {
        if (closed) {
            throw new SessionException(Kind.NOT_DONE, "its file has changed or it is no longer used");
        }
        boolean usable =
                attempt.filter(known -> !known.isDone() || isOpen(known)).isPresent();
        boolean early = clock.instant().isBefore(notBefore);
        if (attempt.isPresent() && (usable || early)) {
            return attempt.get();
        }
        attempt.filter(SessionLink::isOver).ifPresent(done -> done.join().retire());
        CompletableFuture<Session> begun = new CompletableFuture<>();
        threads.newThread(() -> open(begun)).start();
        attempt = Optional.of(begun); // only once the thread runs, which alone can complete it
        return begun;
    }

    private static boolean isOpen(CompletableFuture<Session> done) {
        return isOver(done) && done.join().isOpen();
    }

    private static boolean isOver(CompletableFuture<Session> known) {
        return known.isDone() && !known.isCompletedExceptionally();
    }

    private void open(CompletableFuture<Session> begun) {
        try {
            Session session = opener.open();
            if (isAccepted()) {
                begun.complete(session);
            } else {
                session.close();
                begun.completeExceptionally(new SessionException(Kind.NOT_DONE, "it is no longer used"));
            }
        } catch (SessionException | InterruptedException | RuntimeException | Error e) {
            // Every failure has to complete the attempt; its callers would otherwise wait for ever.
            boolean limited = e instanceof SessionException known && known.kind() == Kind.LIMITED;
            Duration pause = failed(limited ? LIMITED : Duration.ZERO);
            log.atWarn()
                    .addKeyValue("box", box)
                    .addKeyValue("reason", e instanceof SessionException known ? known.detail() : e.toString())
                    .addKeyValue("againAfterMs", pause.toMillis())
                    .log("there is no session with the box");
            begun.completeExceptionally(e);
        }
    }

    private synchronized boolean isAccepted() {
        failures = 0;
        // A box that lets in and then cuts at once gets a pause too.
        notBefore = clock.instant().plus(backoff.first());
        return !closed;
    }

    private synchronized Duration failed(Duration least) {
        failures++;
        Duration pause = backoff.after(failures - 1);
        Duration longer = pause.compareTo(least) > 0 ? pause : least.plus(pause);
        notBefore = clock.instant().plus(longer);
        return longer;
    }

    private synchronized Duration remaining() {
        Duration left = Duration.between(clock.instant(), notBefore);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public void close() {
        Optional<CompletableFuture<Session>> last = ended();
        last.filter(SessionLink::isOver).ifPresent(done -> done.join().close());
        opener.close();
    }

    private synchronized Optional<CompletableFuture<Session>> ended() {
        closed = true;
        return attempt;
    }
}
