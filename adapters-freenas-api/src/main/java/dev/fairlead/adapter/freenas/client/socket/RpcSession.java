package dev.fairlead.adapter.freenas.client.socket;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiSpelling;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.session.CallTurns;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes calls by JSON-RPC: ten at once, as many as a box works on for one socket, and the others in their order. */
final class RpcSession implements Session {
    private static final int AT_ONCE = 10;

    /**
     * The number of calls without an answer after which no more are made by this socket: they may be all that the box
     * works on for it.
     */
    private static final int MOST_UNANSWERED = AT_ONCE;

    /** The first release that ends a call with its socket; those before go on with it. */
    private static final int FIRST_TO_STOP = 26;

    /** The time that other changes are given to end before the socket is cut. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration GLANCE = Duration.ofMillis(20);
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final RpcSocket socket;
    private final TruenasRelease release;
    private final Runnable end;
    private final CallTurns turns = new CallTurns(AT_ONCE);
    private final AtomicInteger changing = new AtomicInteger();
    private final AtomicBoolean retired = new AtomicBoolean();

    /** @param end run when it is closed */
    RpcSession(RpcSocket socket, TruenasRelease release, Runnable end) {
        this.socket = socket;
        this.release = release;
        this.end = end;
    }

    @Override
    public TruenasRelease release() {
        return release;
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen() && !retired.get();
    }

    @Override
    public Reply call(ApiCall call, Duration patience, Runnable between) throws SessionException, InterruptedException {
        Optional<ApiSpelling> spelling = ApiSpelling.of(call, release);
        if (spelling.isEmpty()) {
            return new Reply.Refusal(
                    ApiErrno.ENOMETHOD,
                    release.shown() + " has no " + call.method().word());
        }
        long end = System.nanoTime() + patience.toNanos();
        turns.take(call.method(), patience, between);
        try {
            if (retired.get()) {
                throw new SessionException(Kind.NOT_DONE, "its session was given up a moment ago");
            }
            if (call.isOverdue()) {
                throw new SessionException(Kind.NOT_DONE, "it was not sent in time");
            }
            Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            return call.method().isRead()
                    ? asked(spelling.get(), left, between)
                    : changed(spelling.get(), left, between);
        } finally {
            turns.giveBack(call.method());
            if (socket.unanswered() >= MOST_UNANSWERED) {
                retire();
            }
            endIfRetired();
        }
    }

    private Reply asked(ApiSpelling spelling, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        var arguments = new JsonArray();
        spelling.arguments().forEach(arguments::add);
        try {
            return socket.ask(spelling.method(), arguments, patience, between);
        } catch (SessionException e) {
            if (e.kind() == Kind.LOGGED_OUT) {
                retire();
            }
            throw e;
        }
    }

    private Reply changed(ApiSpelling spelling, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        boolean stops = release.isAtLeast(FIRST_TO_STOP, 0);
        try {
            return counted(spelling, patience, between);
        } catch (SessionException e) {
            boolean stopped = stops && e.kind() == Kind.UNKNOWN && stop() && !release.isUnknown();
            throw stopped ? new SessionException(Kind.STOPPED, e.detail()) : e;
        } catch (InterruptedException e) {
            if (stops) {
                boolean _ = stop();
            }
            throw e;
        }
    }

    private Reply counted(ApiSpelling spelling, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        changing.incrementAndGet();
        try {
            return asked(spelling, patience, between);
        } finally {
            changing.decrementAndGet();
        }
    }

    /**
     * Stops a change that nobody waits for any more: such a box ends it with its socket. Other changes are given a
     * moment to end before; queries are repeated by another session.
     *
     * @return whether the box answers at this moment, so that it learns of the end: behind a cut network it does not,
     *     and goes on
     */
    private boolean stop() {
        retired.set(true);
        long end = System.nanoTime() + GRACE.toNanos();
        boolean answers = false;
        try {
            answers = answers();
            while (changing.get() > 0 && socket.isOpen() && System.nanoTime() < end) {
                TimeUnit.NANOSECONDS.sleep(GLANCE.toNanos());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        close();
        return answers;
    }

    private boolean answers() throws InterruptedException {
        try {
            return socket.isOpen() && socket.ask("core.ping", new JsonArray(), GRACE, () -> {}) instanceof Reply.Done;
        } catch (SessionException _) {
            return false;
        }
    }

    @Override
    public Optional<JsonObject> job(long id, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        try {
            return Optional.of(socket.jobs().end(id).get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException _) {
            between.run();
            return asked(id, between);
        } catch (ExecutionException e) {
            throw new SessionException(Kind.UNKNOWN, "the job's end was not seen, " + e.getMessage());
        } finally {
            socket.jobs().leave(id);
        }
    }

    private Optional<JsonObject> asked(long id, Runnable between) throws SessionException, InterruptedException {
        Reply reply = call(ApiCall.query(ApiAction.JOBS, ApiQuery.of("id", id)), LOOK_UP.multipliedBy(10), between);
        if (reply instanceof Reply.Done(JsonElement value) && value.isJsonArray()) {
            return value.getAsJsonArray().asList().stream()
                    .filter(JsonElement::isJsonObject)
                    .map(JsonElement::getAsJsonObject)
                    .findFirst();
        }
        throw new SessionException(Kind.UNKNOWN, "the box does not tell about its jobs");
    }

    @Override
    public void retire() {
        retired.set(true);
        endIfRetired();
    }

    private void endIfRetired() {
        if (retired.get() && !socket.isAwaited()) {
            close();
        }
    }

    @Override
    public void close() {
        retired.set(true);
        socket.close();
        end.run();
    }
}
