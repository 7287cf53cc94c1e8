package dev.fairlead.simulator;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.JsonTools;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A client by the JDK alone, which trusts the certificate of a simulator and nobody else. */
final class Client implements WebSocket.Listener, AutoCloseable {
    private static final long PATIENCE_IN_SECONDS = 10;

    private final HttpClient http;
    private final Map<Long, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<JsonObject> events = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final AtomicLong ids = new AtomicLong();
    private final StringBuilder partial = new StringBuilder();
    private final Simulator simulator;
    private CompletableFuture<WebSocket> socket = CompletableFuture.failedFuture(new IllegalStateException("not open"));

    Client(Simulator simulator) {
        this.simulator = simulator;
        this.http = HttpClient.newBuilder()
                .sslContext(trusting(simulator.certificate()))
                .build();
    }

    /** Opens a socket and logs in as root by key. */
    static Client root(Simulator simulator) {
        Client client = new Client(simulator).open("/api/current");
        client.result(
                "auth.login_ex",
                JsonTools.object("mechanism", "API_KEY_PLAIN", "username", "root", "api_key", simulator.rootKey()));
        return client;
    }

    Client open(String path) {
        return open(URI.create(simulator.url().toString().replace("https", "wss") + path));
    }

    Client open(URI uri) {
        socket = http.newWebSocketBuilder().buildAsync(uri, this);
        socket.orTimeout(PATIENCE_IN_SECONDS, TimeUnit.SECONDS).join();
        return this;
    }

    private static SSLContext trusting(String pem) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, new char[0]);
            store.setCertificateEntry(
                    "box",
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8))));
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    JsonElement result(String method, Object... params) {
        JsonObject reply = call(method, params);
        if (reply.has("error"))
            throw new IllegalStateException(reply.get("error").toString());
        return reply.get("result");
    }

    /** Returns the reason of a failure, with its code before it. */
    String failure(String method, Object... params) {
        JsonObject reply = call(method, params);
        if (!reply.has("error")) throw new IllegalStateException("no failure: " + reply);
        JsonObject error = reply.getAsJsonObject("error");
        return error.get("code").getAsInt() + " "
                + (error.has("data") && error.get("data").isJsonObject()
                        ? error.getAsJsonObject("data").get("reason").getAsString()
                        : error.get("message").getAsString());
    }

    JsonObject call(String method, Object... params) {
        return await(send(method, params));
    }

    CompletableFuture<JsonObject> send(String method, Object... params) {
        long id = ids.incrementAndGet();
        CompletableFuture<JsonObject> reply = new CompletableFuture<>();
        waiting.put(id, reply);
        raw(JsonTools.WRITER.toJson(
                JsonTools.object("jsonrpc", "2.0", "id", id, "method", method, "params", JsonTools.array(params))));
        return reply;
    }

    synchronized void raw(String text) {
        socket.join().sendText(text, true).join();
    }

    /** Sends a message whose answer has no number of ours, and returns that. */
    CompletableFuture<JsonObject> expectAnonymous(String text) {
        CompletableFuture<JsonObject> reply = new CompletableFuture<>();
        waiting.put(-1L, reply);
        raw(text);
        return reply;
    }

    static <T> T await(CompletableFuture<T> future) {
        return future.orTimeout(PATIENCE_IN_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Waits for a job by asking, and returns it. */
    JsonObject job(JsonElement id) {
        while (true) {
            JsonObject job = result("core.get_jobs", JsonTools.array(JsonTools.array("id", "=", id)))
                    .getAsJsonArray()
                    .get(0)
                    .getAsJsonObject();
            if (!job.get("state").getAsString().matches("WAITING|RUNNING")) return job;
        }
    }

    CopyOnWriteArrayList<JsonObject> events() {
        return events;
    }

    /** Returns how the connection ended: the code and the reason, or "cut". */
    String end() {
        return await(end);
    }

    HttpResponse<String> rest(String verb, String path, String body) {
        return http(verb, simulator.url() + "/api/v2.0" + path, body, "Bearer " + simulator.rootKey());
    }

    HttpResponse<String> http(String verb, String url, String body, String authorization) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).method(verb, HttpRequest.BodyPublishers.ofString(body));
        if (!authorization.isEmpty()) request.header("Authorization", authorization);
        return await(http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()));
    }

    JsonElement restResult(String verb, String path, String body) {
        HttpResponse<String> response = rest(verb, path, body);
        if (response.statusCode() != 200) throw new IllegalStateException(response.statusCode() + response.body());
        return JsonParser.parseString(response.body());
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
        partial.append(data);
        webSocket.request(1);
        if (!last) return CompletableFuture.completedFuture(true);
        JsonObject message = JsonParser.parseString(partial.toString()).getAsJsonObject();
        partial.setLength(0);
        if (message.has("method")) events.add(message);
        else {
            boolean ours =
                    message.has("id") && message.get("id").isJsonPrimitive() && JsonTools.isNumber(message.get("id"));
            CompletableFuture<JsonObject> reply =
                    waiting.remove(ours ? message.get("id").getAsLong() : -1L);
            if (reply != null) reply.complete(message);
        }
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
        finish(code == 1006 ? "cut" : code + " " + reason);
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public void onError(WebSocket webSocket, Throwable error) {
        finish("cut");
    }

    private void finish(String how) {
        end.complete(how);
        waiting.values().forEach(reply -> reply.completeExceptionally(new IOException(how)));
    }

    static JsonArray filter(Object... parts) {
        return JsonTools.array(JsonTools.array(parts));
    }

    @Override
    public void close() {
        var _ = socket.thenAccept(WebSocket::abort);
        http.shutdownNow();
    }
}
