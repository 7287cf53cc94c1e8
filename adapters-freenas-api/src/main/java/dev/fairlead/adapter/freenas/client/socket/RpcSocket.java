package dev.fairlead.adapter.freenas.client.socket;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.MessageSize;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.http.Json;
import dev.fairlead.http.TextSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends calls over one socket, and hands each reply, which come in any order, to the caller that waits for it. */
final class RpcSocket implements TextSocket.Listener {
    /** The greatest length of a message after the login, which a box tells by closing the socket. */
    static final int MOST_BYTES = 65_536;

    private static final Logger log = LoggerFactory.getLogger(RpcSocket.class);
    private static final Duration LOOK_UP = Duration.ofSeconds(1);

    private final BoxWords words;
    private final Map<Long, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final Set<Long> late = ConcurrentHashMap.newKeySet();
    private final JobEvents jobs = new JobEvents();
    private final CompletableFuture<TextSocket> socket = new CompletableFuture<>();
    private volatile Optional<String> end = Optional.empty();

    /** @param words makes what the box says fit to be shown */
    RpcSocket(BoxWords words) {
        this.words = words;
    }

    /** Gives the socket that was opened with this as its listener. */
    void opened(TextSocket open) {
        socket.complete(open);
    }

    JobEvents jobs() {
        return jobs;
    }

    boolean isOpen() {
        return end.isEmpty();
    }

    /** Returns the number of calls that nobody waits for any more and that the box has not answered either. */
    int unanswered() {
        return late.size();
    }

    /** Says whether anybody waits for an answer. */
    boolean isAwaited() {
        return !waiting.isEmpty();
    }

    void close() {
        socket.join().close();
    }

    Reply ask(String method, JsonArray arguments, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        long id = ids.incrementAndGet();
        String text = request(id, method, arguments);
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > MOST_BYTES) {
            return new Reply.Refusal(
                    ApiErrno.EMSGSIZE,
                    "the call has " + length + " bytes, and a box takes " + MOST_BYTES + "; it was not sent");
        }
        var reply = new CompletableFuture<JsonObject>();
        waiting.put(id, reply);
        try {
            if (!isOpen() || !socket.join().send(text)) {
                throw new SessionException(Kind.NOT_DONE, "the session has ended, " + end.orElse("it was closed"));
            }
            return RpcReplies.of(awaited(id, reply, patience, between), words.without(arguments));
        } finally {
            waiting.remove(id);
        }
    }

    private static String request(long id, String method, JsonArray arguments) {
        var request = new JsonObject();
        request.addProperty("jsonrpc", "2.0");
        request.addProperty("id", id);
        request.addProperty("method", method);
        request.add("params", arguments);
        return request.toString();
    }

    private JsonObject awaited(long id, CompletableFuture<JsonObject> reply, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        long finish = System.nanoTime() + patience.toNanos();
        while (true) {
            long left = finish - System.nanoTime();
            try {
                return reply.get(Math.max(0, Math.min(left, LOOK_UP.toNanos())), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                if (left <= LOOK_UP.toNanos()) {
                    late.add(id);
                    if (reply.isDone()) {
                        late.remove(id); // it came in this moment
                    }
                    throw new SessionException(Kind.UNKNOWN, "no answer within " + patience.toMillis() + " ms");
                }
                between.run();
            } catch (ExecutionException e) {
                throw without(Optional.ofNullable(e.getCause())
                        .map(cause -> String.valueOf(cause.getMessage()))
                        .orElse("it was closed"));
            }
        }
    }

    /** Returns what is known of a call that gets no reply: a question whose answer is too long is not repeated. */
    private static SessionException without(String why) {
        return MessageSize.isTooMuch(why)
                ? new SessionException(Kind.TOO_LONG, why)
                : new SessionException(Kind.UNKNOWN, "the session was cut, " + why);
    }

    @Override
    public void received(String text) {
        if (!MessageSize.isBearable(text)) {
            unbearable(text);
            return;
        }
        JsonObject message = Json.object(text).orElseGet(JsonObject::new);
        if (message.has("method")) {
            jobs.told(message, text.length());
            return;
        }
        Optional<Long> id = Json.number(message, "id");
        id.flatMap(this::taken).ifPresent(reply -> reply.complete(message));
        if (id.isEmpty()) {
            log.atDebug().addKeyValue("characters", text.length()).log("a message of the box is no reply to any call");
        }
    }

    /** Fails the one call that a message is too long for; the other calls of the session go on. */
    private void unbearable(String text) {
        Optional<Long> id = RpcReplies.id(text);
        id.flatMap(this::taken)
                .ifPresent(reply -> reply.completeExceptionally(new IllegalStateException(MessageSize.tooMuch())));
        if (id.isEmpty()) {
            ended(MessageSize.tooMuch());
            close();
        }
    }

    private Optional<CompletableFuture<JsonObject>> taken(long id) {
        late.remove(id);
        return Optional.ofNullable(waiting.remove(id));
    }

    @Override
    public void ended(String why) {
        if (end.isPresent()) {
            return;
        }
        end = Optional.of(why);
        waiting.values().forEach(reply -> reply.completeExceptionally(new IllegalStateException(why)));
        waiting.clear();
    }
}
