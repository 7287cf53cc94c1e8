package dev.fairlead.adapter.freenas.client.connection;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiMethod;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.session.CallTurns;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes calls for one connection, within what the caller has left and the bound of a call, again if that is safe: a
 * read always, a change only if the box surely has not seen it.
 */
final class BoxCalls {
    /** The longest time for one call, however long the caller waits. */
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** The same of a question without whose answer its caller can go on, and has time to. */
    private static final Duration BRIEF = Duration.ofSeconds(3);

    private static final Backoff AGAIN = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

    private static final int MOST_REPETITIONS = 3;

    /** The most calls at once: fewer than one session makes, so that slow ones leave turns to other connections. */
    private static final int MOST_AT_ONCE = 8;

    private final String connection;
    private final SessionLinks links;
    private final CallTurns places = new CallTurns(MOST_AT_ONCE);

    BoxCalls(String connection, SessionLinks links) {
        this.connection = connection;
        this.links = links;
    }

    /**
     * Holds what an attempt came to.
     *
     * @param by the session that was used
     */
    record Made<T>(T value, Session by) {}

    TruenasRelease release(Work work) {
        return attempted("opening a session", false, work, (session, _) -> session.release())
                .value();
    }

    Made<ApiResult> make(ApiCall call, Work work) {
        return make(call, _ -> {}, work);
    }

    /**
     * @param check throws if no call is to be made since that is the session by which is asked; nothing has been sent
     */
    Made<ApiResult> make(ApiCall call, Consumer<Session> check, Work work) {
        boolean reads = call.method().isRead();
        Runnable between = reads ? work::checkCancelled : () -> {};
        Duration bound = bounded(call.method(), work);
        long end = System.nanoTime() + bound.toNanos();
        takePlace(call.method(), bound, between, work);
        try {
            Made<Reply> reply = attempted(
                    call.method().word(),
                    !reads,
                    call.method().isOfNumbers(),
                    check,
                    work,
                    end,
                    (session, left) -> session.call(forThis(call, session), left, between));
            return new Made<>(result(call, reply.value()), reply.by());
        } finally {
            places.giveBack(call.method());
        }
    }

    private void takePlace(ApiMethod method, Duration bound, Runnable between, Work work) {
        try {
            places.take(method, bound, between);
        } catch (SessionException e) {
            throw new StorageException(
                    new Failure.BackendUnavailable(connection, "of its own calls, " + e.detail()), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(work.what()));
        }
    }

    /** Asks for a job; empty if the box knows none of this number. */
    Made<Optional<JsonObject>> job(long id, Duration wait, Work work) {
        return attempted(
                "waiting for job " + id,
                false,
                work,
                (session, left) -> session.job(id, wait.compareTo(left) < 0 ? wait : left, () -> {}));
    }

    /** Sends nothing to a box that has another release than the one that the call was made for. */
    private ApiCall forThis(ApiCall call, Session session) {
        if (call.release().filter(wanted -> !wanted.equals(session.release())).isPresent()) {
            throw changed(session.release());
        }
        return call;
    }

    StorageException changed(TruenasRelease now) {
        return new StorageException(new Failure.BackendUnavailable(
                connection, "the box has become " + now.shown() + " meanwhile; ask again"));
    }

    private ApiResult result(ApiCall call, Reply reply) {
        String what = call.method().word();
        return switch (reply) {
            case Reply.Done(var value) -> new ApiResult.Done(value);
            case Reply.Refusal(var errno, String text, var fields) ->
                new ApiResult.Refused(connection, what, errno, text, fields);
            case Reply.Denied(String text) ->
                throw new StorageException(new Failure.RoleMissing(
                        connection,
                        what,
                        call.method()
                                        .role()
                                        .map(role -> "give it the role " + role)
                                        .orElse("give it a role that allows it")
                                + " (" + text + ")"));
        };
    }

    private <T> Made<T> attempted(String what, boolean changes, Work work, Attempt<T> made) {
        return attempted(
                what,
                changes,
                false,
                _ -> {},
                work,
                System.nanoTime() + bounded(work).toNanos(),
                made);
    }

    /** @param same whether a change has to go by the session that was checked: another may be of a restored box */
    private <T> Made<T> attempted(
            String what, boolean changes, boolean same, Consumer<Session> check, Work work, long end, Attempt<T> made) {
        for (int attempt = 0; ; attempt++) {
            boolean sent = false;
            try {
                Session asking = links.session(until(end), changes ? () -> {} : work::checkCancelled);
                check.accept(asking);
                if (!changes) {
                    return new Made<>(made.on(asking, until(end)), asking);
                }
                try (SessionLinks.Lease lease = same ? links.forSame(asking) : links.forChange(asking, until(end))) {
                    requireTime(end);
                    sent = true;
                    return new Made<>(made.on(lease.session(), until(end)), lease.session());
                }
            } catch (SessionException e) {
                Duration pause = AGAIN.after(attempt);
                boolean safe =
                        e.isSurelyNotDone() || (!changes && (e.kind() == Kind.UNKNOWN || e.kind() == Kind.UNTOLD));
                int most = e.kind() == Kind.LOGGED_OUT ? 1 : MOST_REPETITIONS; // each costs a login, which boxes limit
                boolean again = safe && attempt < most && System.nanoTime() + pause.toNanos() < end;
                if (!again) {
                    throw new StorageException(e.failure(connection, what, changes), e);
                }
                Backoff.pause(pause, work);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new StorageException(
                        sent
                                ? new Failure.OutcomeUnknown(connection, what, "nobody waited for its end")
                                : new Failure.Cancelled(work.what()));
            }
        }
    }

    /** Refuses a change whose time is up before it is sent: it would end the session of the others that share it. */
    private static void requireTime(long end) throws SessionException {
        if (System.nanoTime() >= end) {
            throw new SessionException(Kind.NOT_DONE, "its time was up before it was sent");
        }
    }

    private static Duration until(long end) {
        return Duration.ofNanos(Math.max(1, end - System.nanoTime()));
    }

    private static Duration bounded(ApiMethod method, Work work) {
        Duration bound = bounded(work);
        return method == ApiAction.SMB_STATUS && BRIEF.compareTo(bound) < 0 ? BRIEF : bound;
    }

    private static Duration bounded(Work work) {
        Duration left = work.left();
        return left.isPositive() && left.compareTo(BOUND) < 0 ? left : BOUND;
    }

    /** Makes one attempt on an open session. */
    @FunctionalInterface
    private interface Attempt<T> {
        T on(Session session, Duration left) throws SessionException, InterruptedException;
    }
}
