package dev.fairlead.simulator.wire;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.NoReturn;
import dev.fairlead.simulator.failure.Interruption;
import dev.fairlead.simulator.profile.Profile;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** One connection of the old protocol at /websocket: calls, results and pings, but no subscriptions. */
public final class DdpSocket implements Session.Listener.AutoDemanding {
    private final Front front;
    private final Engine engine;
    private final Profile api;
    private final Caller caller;
    private final Object writing = new Object();
    private final CompletableFuture<Session> session = new CompletableFuture<>();

    DdpSocket(Front front, Engine engine, String address, boolean encrypted) {
        this.front = front;
        this.engine = engine;
        this.api = engine.box().rpc() ? Profile.SCALE_24_10 : engine.box();
        this.caller = new Caller(address, encrypted, event -> {});
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        opened.setIdleTimeout(front.settings().idle(engine.box()));
        session.complete(opened);
    }

    @Override
    public void onWebSocketText(String text) {
        try {
            JsonObject message = JsonParser.parseString(text).getAsJsonObject();
            switch (JsonTools.text(message, "msg")) {
                case "connect" ->
                    send(JsonTools.object(
                            "msg", "connected", "session", UUID.randomUUID().toString()));
                case "ping" -> send(JsonTools.object("msg", "pong", "id", JsonTools.text(message, "id")));
                case "sub" -> send(JsonTools.object("msg", "ready", "subs", JsonTools.array(message.get("id"))));
                case "method" ->
                    front.settings().threads().newThread(() -> call(message)).start();
                default -> session.join().close(1002, "", Callback.NOOP);
            }
        } catch (JsonParseException | IllegalStateException e) {
            session.join().close(1002, "", Callback.NOOP);
        }
    }

    private void call(JsonObject message) {
        JsonElement id = message.get("id");
        JsonArray params = JsonTools.list(message, "params");
        try {
            front.stillKnown(caller);
            Engine.Reply reply = engine.call(caller, api, JsonTools.text(message, "method"), params);
            send(JsonTools.object("msg", "result", "id", id, "result", reply.result()));
        } catch (ApiFailure e) {
            send(JsonTools.object("msg", "result", "id", id, "error", error(e)));
        } catch (Interruption | NoReturn e) {
            session.join().disconnect();
        }
    }

    private JsonObject error(ApiFailure failure) {
        JsonObject data = JsonRpcReplies.data(failure, engine.box());
        data.addProperty("type", failure.violations().isEmpty() ? "CallError" : "VALIDATION");
        return data;
    }

    private void send(JsonObject message) {
        synchronized (writing) {
            if (!session.join().isOpen()) return;
            Callback.Completable sent = new Callback.Completable();
            session.join().sendText(JsonTools.WRITER.toJson(message), sent);
            sent.exceptionally(ignored -> null).join();
        }
    }
}
