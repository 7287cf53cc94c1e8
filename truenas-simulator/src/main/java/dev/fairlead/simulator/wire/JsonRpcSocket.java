package dev.fairlead.simulator.wire;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.NoReturn;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.failure.Interruption;
import dev.fairlead.simulator.profile.Profile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** Serves one connection of JSON-RPC 2.0. */
public final class JsonRpcSocket implements Session.Listener.AutoDemanding {
    private static final int AT_A_TIME = 10;
    private static final int IN_FLIGHT = 20;
    private static final int BYTES_BEFORE_LOGIN = 8192;
    private static final int BYTES = 65536;
    private static final int BYTES_OF_FILES = 2 << 20;

    private final Front front;
    private final Engine engine;
    private final Profile api;
    private final Caller caller;
    private final Semaphore places = new Semaphore(AT_A_TIME, true);
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicBoolean legacyJobs = new AtomicBoolean(true);
    private final Object writing = new Object();
    private final CompletableFuture<Session> session = new CompletableFuture<>();

    JsonRpcSocket(Front front, Engine engine, Profile api, String address, boolean encrypted) {
        this.front = front;
        this.engine = engine;
        this.api = api;
        this.caller = new Caller(address, encrypted, this::send);
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        session.complete(opened);
        opened.setIdleTimeout(idle());
        opened.addIdleTimeoutListener(timeout -> {
            opened.disconnect();
            return false;
        });
        front.joined(this);
    }

    private Duration idle() {
        return front.settings().idle(engine.box());
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback callback) {
        front.left(this);
        callback.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        front.left(this);
    }

    @Override
    public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
        callback.succeed();
        session().close(1003, "Binary messages are not supported", Callback.NOOP);
    }

    @Override
    public void onWebSocketText(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (!caller.known() && bytes > BYTES_BEFORE_LOGIN) {
            session().close(1007, "Anonymous connection max message length is 8 kB", Callback.NOOP);
            return;
        }
        if (bytes > BYTES && (bytes > BYTES_OF_FILES || !text.contains("\"filesystem.file_receive\""))) {
            session().close(1009, "Max message length is 64 kB", Callback.NOOP);
            return;
        }
        try {
            receive(JsonParser.parseString(text));
        } catch (JsonParseException e) {
            send(JsonRpcReplies.error(JsonNull.INSTANCE, -32700, String.valueOf(e.getMessage())));
        }
    }

    Caller caller() {
        return caller;
    }

    private Session session() {
        return session.join();
    }

    void cut() {
        session().disconnect();
    }

    private void receive(JsonElement message) {
        if (message.isJsonArray()) {
            send(JsonRpcReplies.error(JsonNull.INSTANCE, -32700, "Batch messages are not supported at this time"));
            return;
        }
        JsonObject request = message.isJsonObject() ? message.getAsJsonObject() : new JsonObject();
        JsonElement id = request.has("id") ? request.get("id") : JsonNull.INSTANCE;
        String complaint = complaint(request);
        if (!complaint.isEmpty()) {
            send(JsonRpcReplies.error(id, -32600, complaint));
            return;
        }
        if (inFlight.incrementAndGet() > IN_FLIGHT) {
            inFlight.decrementAndGet();
            send(JsonRpcReplies.error(
                    id, -32000, "Maximum number of concurrent calls (" + IN_FLIGHT + ") has exceeded"));
            return;
        }
        front.settings().threads().newThread(() -> answer(request, id)).start();
    }

    private static String complaint(JsonObject request) {
        if (!request.has("jsonrpc")) return "Missing 'jsonrpc' member";
        if (!JsonTools.text(request, "jsonrpc").equals("2.0")) return "'jsonrpc' member must be exactly \"2.0\"";
        if (!request.has("method")) return "Missing 'method' member";
        if (!JsonTools.isText(request.get("method"))) return "'method' member must be of type string";
        if (request.has("params") && !request.get("params").isJsonArray())
            return "'params' member must be of type array";
        if (request.has("id")
                && (request.get("id").isJsonArray() || request.get("id").isJsonObject()))
            return "'id' member must be of type null, string or number";
        return "";
    }

    private void answer(JsonObject request, JsonElement id) {
        boolean notification = !request.has("id");
        try {
            places.acquire();
            try {
                JsonObject reply = reply(request, id);
                if (!notification) send(reply);
            } finally {
                places.release();
            }
        } catch (Interruption e) {
            carryOut(e.injury());
        } catch (NoReturn e) {
            cut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private JsonObject reply(JsonObject request, JsonElement id) {
        String method = JsonTools.text(request, "method");
        JsonArray params = JsonTools.list(request, "params");
        if (method.equals("core.set_options") && caller.known()) {
            JsonElement options = params.isEmpty() ? new JsonObject() : params.get(0);
            legacyJobs.set(JsonTools.flag(options.getAsJsonObject(), "legacy_jobs", legacyJobs.get()));
            return JsonRpcReplies.result(id, JsonNull.INSTANCE);
        }
        try {
            front.stillKnown(caller);
            Engine.Reply reply = engine.call(caller, api, method, params);
            if (!reply.job() || legacyJobs.get()) return JsonRpcReplies.result(id, reply.result());
            return JsonRpcReplies.result(id, engine.jobs().await(reply.result().getAsLong()));
        } catch (ApiFailure e) {
            return JsonRpcReplies.failure(id, e, engine.box());
        }
    }

    private void carryOut(Fault.Injury injury) {
        switch (injury) {
            case Fault.Silent ignored -> {}
            case Fault.Close close -> session().close(close.code(), close.reason(), Callback.NOOP);
            case Fault.Page ignored -> session().close(1011, "", Callback.NOOP);
            default -> cut();
        }
    }

    private void send(JsonObject message) {
        synchronized (writing) {
            if (!session().isOpen()) return;
            Callback.Completable sent = new Callback.Completable();
            session().sendText(JsonTools.WRITER.toJson(message), sent);
            sent.exceptionally(ignored -> null).join();
        }
    }
}
