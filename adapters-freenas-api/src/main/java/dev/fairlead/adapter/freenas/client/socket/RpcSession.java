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
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Makes calls by JSON-RPC: ten at once, as many as a box works on for one socket, and the others in their order. */
final class RpcSession implements Session {
    private static final int AT_ONCE = 10;

    /** The number of calls without an answer after which the box is thought to have lost them all. */
    private static final int MOST_UNANSWERED = AT_ONCE;

    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final RpcSocket socket;
    private final TruenasRelease release;
    private final Semaphore turns = new Semaphore(AT_ONCE, true);

    RpcSession(RpcSocket socket, TruenasRelease release) {
        this.socket = socket;
        this.release = release;
    }

    @Override
    public TruenasRelease release() {
        return release;
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
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
        takeTurn(patience, between);
        try {
            var arguments = new JsonArray();
            spelling.get().arguments().forEach(arguments::add);
            Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            return socket.ask(spelling.get().method(), arguments, left, between);
        } finally {
            turns.release();
            if (socket.unanswered() >= MOST_UNANSWERED) {
                close();
            }
        }
    }

    private void takeTurn(Duration patience, Runnable between) throws SessionException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            long left = end - System.nanoTime();
            if (turns.tryAcquire(Math.max(0, Math.min(left, LOOK_UP.toNanos())), TimeUnit.NANOSECONDS)) {
                return;
            }
            if (left <= LOOK_UP.toNanos()) {
                throw new SessionException(
                        Kind.NOT_DONE, "other calls left no turn within " + patience.toMillis() + " ms");
            }
            between.run();
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
    public void close() {
        socket.close();
    }
}
