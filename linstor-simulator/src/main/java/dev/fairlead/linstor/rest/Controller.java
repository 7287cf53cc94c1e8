package dev.fairlead.linstor.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import dev.fairlead.linstor.cluster.Cluster;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Serves one controller of a cluster by HTTP, until it is closed or another one takes over. */
public final class Controller implements AutoCloseable {
    private static final long SILENCE_OF_A_SATELLITE = 6500;
    private static final long HANG = 60_000;

    private final Cluster cluster;
    private final Routes routes;
    private final WireFaults faults;
    private final Runnable takeover;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> calls;
    private final Map<String, RestAnswer> latest = new ConcurrentHashMap<>();
    private final Map<String, RestAnswer> older = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /**
     * Begins to serve.
     *
     * @param port 0 for any
     * @param calls takes the calls, each with method and path
     * @param takeover what has another controller take over
     */
    public Controller(Cluster cluster, WireFaults faults, int port, List<String> calls, Runnable takeover) {
        this.cluster = cluster;
        this.routes = new Routes(cluster);
        this.faults = faults;
        this.calls = calls;
        this.takeover = takeover;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        } catch (IOException e) {
            throw new IllegalStateException("port " + port + " cannot be had", e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Returns a list for calls that many threads may use. */
    public static List<String> callLog() {
        return Collections.synchronizedList(new ArrayList<>());
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Takes orders at a path that no LINSTOR has. */
    public void orders(LinstorOrders orders) {
        server.createContext("/simulator", exchange -> {
            String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            write(exchange, orders.carryOut(text));
        });
    }

    @Override
    public void close() {
        closed = true;
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        String query = exchange.getRequestURI().getRawQuery();
        String call = method + " " + path;
        calls.add(query == null ? call : call + "?" + query);
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Optional<WireFaults.Kind> fault = faults.next(call);
        if (fault.isPresent() && fault.get() == WireFaults.Kind.HANG) pause(HANG);
        Optional<EventStream> stream = EventStream.of(cluster.events(), method, path, fault);
        if (stream.isPresent()) {
            stream.get().send(exchange, () -> closed);
            return;
        }
        RestAnswer answer = answer(method, path, query, body);
        if (fault.isEmpty()) {
            if (method.equals("GET")) remember(call + "?" + query, answer);
            write(exchange, answer);
            return;
        }
        switch (fault.get()) {
            case CUT -> exchange.close();
            case SWITCH -> {
                exchange.close();
                takeover.run();
            }
            default -> write(exchange, spoilt(fault.get(), answer, call + "?" + query));
        }
    }

    private void remember(String call, RestAnswer answer) {
        RestAnswer before = latest.put(call, answer);
        if (before != null && !before.equals(answer)) older.put(call, before);
    }

    private RestAnswer spoilt(WireFaults.Kind kind, RestAnswer answer, String call) {
        return switch (kind) {
            case HTML -> new RestAnswer(200, "text/html", "<html><body><h1>Please log in</h1></body></html>");
            case NOTHING -> new RestAnswer(200, answer.type(), "");
            case HALF_TEXT ->
                new RestAnswer(
                        answer.status(),
                        answer.type(),
                        answer.text().substring(0, answer.text().length() / 2));
            case HALF_LIST -> half(answer);
            case STALE -> latest.getOrDefault(call, answer);
            case OLDER -> older.getOrDefault(call, answer);
            case MISSING ->
                new Messages()
                        .add(ReturnCode.ERROR | ReturnCode.NO_DEFINITION, "Resource definition not found.")
                        .withStatus(404);
            case WORDLESS -> RestAnswer.wordless(cluster.report());
            default -> answer;
        };
    }

    private static RestAnswer half(RestAnswer answer) {
        if (!(JsonParser.parseString(answer.text()) instanceof JsonArray all)) return answer;
        JsonArray some = new JsonArray();
        for (int at = 0; at < all.size() / 2; at++) some.add(all.get(at));
        return RestAnswer.of(answer.status(), some);
    }

    private RestAnswer answer(String method, String path, @Nullable String query, String body) {
        if (path.startsWith("/v1/view/") && cluster.satellites().wouldHang()) {
            pause(cluster.takes(SILENCE_OF_A_SATELLITE));
            cluster.satellites().found();
            return RestAnswer.wordless(cluster.rows().change(cluster::report));
        }
        return cluster.rows().change(() -> routes.answer(method, path, parameters(query), body));
    }

    private static Map<String, List<String>> parameters(@Nullable String query) {
        Map<String, List<String>> found = new LinkedHashMap<>();
        if (query == null) return found;
        for (String pair : query.split("&", -1)) {
            String name = pair.split("=", 2)[0];
            String value = pair.contains("=") ? pair.substring(pair.indexOf('=') + 1) : "";
            found.computeIfAbsent(URLDecoder.decode(name, StandardCharsets.UTF_8), _ -> new ArrayList<>())
                    .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        return found;
    }

    private static void write(HttpExchange exchange, RestAnswer answer) throws IOException {
        byte[] bytes = answer.text().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
