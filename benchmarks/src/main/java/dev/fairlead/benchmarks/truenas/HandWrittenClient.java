package dev.fairlead.benchmarks.truenas;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** The least that a client of JSON-RPC can be: one socket, ten calls at a time, no care for what may go wrong. */
final class HandWrittenClient implements WebSocket.Listener, AutoCloseable {
    private static final int AT_A_TIME = 10;

    private final HttpClient http;
    private final Map<Integer, CompletableFuture<JsonElement>> waiting = new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(AT_A_TIME);
    private final AtomicInteger ids = new AtomicInteger();
    private final StringBuilder parts = new StringBuilder();
    private final Object writing = new Object();
    private final WebSocket socket;
    private CompletableFuture<WebSocket> sent = new CompletableFuture<>();

    HandWrittenClient(int port, String key, SSLContext tls) {
        this.http = HttpClient.newBuilder().sslContext(tls).build();
        this.socket = http.newWebSocketBuilder()
                .buildAsync(URI.create("wss://127.0.0.1:" + port + "/api/current"), this)
                .join();
        sent.complete(socket);
        if (!call("auth.login_with_api_key", new JsonPrimitive(key)).getAsBoolean()) {
            throw new IllegalStateException("the box does not take its own key");
        }
    }

    /** Makes a call and returns its result; throws if it is refused. */
    JsonElement call(String method, JsonElement... arguments) {
        var params = new JsonArray();
        for (JsonElement each : arguments) {
            params.add(each);
        }
        int id = ids.incrementAndGet();
        var request = new JsonObject();
        request.addProperty("jsonrpc", "2.0");
        request.addProperty("id", id);
        request.addProperty("method", method);
        request.add("params", params);
        var answer = new CompletableFuture<JsonElement>();
        waiting.put(id, answer);
        places.acquireUninterruptibly();
        try {
            synchronized (writing) {
                sent = sent.thenCompose(open -> open.sendText(request.toString(), true));
            }
            return answer.orTimeout(1, TimeUnit.MINUTES).join();
        } finally {
            places.release();
        }
    }

    static JsonObject object(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        parts.append(data);
        if (last) {
            JsonObject message = object(parts.toString());
            parts.setLength(0);
            if (message.has("id") && message.get("id").isJsonPrimitive()) {
                answered(message);
            }
        }
        from.request(1);
        return CompletableFuture.completedStage(null);
    }

    private void answered(JsonObject message) {
        Optional.ofNullable(waiting.remove(message.get("id").getAsInt())).ifPresent(answer -> {
            if (message.has("error")) {
                answer.completeExceptionally(
                        new IllegalStateException(message.get("error").toString()));
            } else {
                answer.complete(message.get("result"));
            }
        });
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
    }
}
