package dev.fairlead.lab.affinity;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.fairlead.lab.LoopbackApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the process and the API server and ends TLS. It counts each call by its kind, passes it on, and does
 * to it what a test asks for.
 */
final class ApiGate implements AutoCloseable {
    static {
        // Else an answer in two parts waits for the peer's delayed acknowledgement, 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final Set<String> NOT_PASSED_ON =
            Set.of("host", "content-length", "connection", "accept-encoding", "upgrade", "expect");

    private final Path folder;
    private final URI upstream;
    private final HttpClient http;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final String token;
    private final Map<String, String> names = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<HttpExchange, Long> watches = new ConcurrentHashMap<>();
    private final AtomicInteger busy = new AtomicInteger();
    private volatile Function<GateCall, Fate> script = _ -> Fate.PASS;
    private volatile Runnable kill = () -> {};
    private volatile long lastChange;

    private ApiGate(Path folder, LoopbackApi api, String token)
            throws IOException, GeneralSecurityException, InterruptedException {
        this.folder = folder;
        this.token = token;
        this.upstream = api.address();
        this.http = AdminCalls.client(api);
        Path store = folder.resolve("gate.p12");
        keytool(
                "-genkeypair -alias gate -keyalg EC -groupname secp256r1 -dname CN=gate -ext san=ip:127.0.0.1"
                        + " -validity 30 -storetype PKCS12 -storepass changeit -keystore",
                store.toString());
        keytool(
                "-exportcert -rfc -alias gate -storepass changeit -keystore",
                store.toString(),
                "-file",
                folder.resolve("gate.crt").toString());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    static ApiGate before(LoopbackApi api, String token, Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        return new ApiGate(Files.createDirectories(folder), api, token);
    }

    private static void keytool(String options, String... more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of(more));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool: " + output);
        }
    }

    /** Writes the access of the user who has no rights but those that were given. */
    Path kubeconfig() throws IOException {
        return Files.writeString(folder.resolve("driver.kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: lab, cluster: {server: "https://127.0.0.1:%d", certificate-authority: gate.crt}}]
                users: [{name: me, user: {token: %s}}]
                contexts: [{name: lab, context: {cluster: lab, user: me}}]
                current-context: lab
                """.formatted(
                        server.getAddress().getPort(), token));
    }

    /** Names a volume whose calls are told apart. */
    void knows(String volume) {
        names.putAll(GateCall.aliases(volume));
    }

    void script(Function<GateCall, Fate> next) {
        script = next;
    }

    /** Says how the process is killed. */
    void onKill(Runnable how) {
        kill = how;
    }

    /** Returns how often calls of each kind came. */
    Map<String, Long> counts() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((kind, count) -> all.put(kind, count.sum()));
        return all;
    }

    long count(String kind) {
        return counts.getOrDefault(kind, new LongAdder()).sum();
    }

    void forgetCounts() {
        counts.clear();
    }

    /** Returns when a change was last passed on, on this process's clock. */
    long lastChange() {
        return lastChange;
    }

    /** Cuts the watches that are older than this, and returns how many. */
    int cutWatches(Duration age) {
        int cut = 0;
        for (Map.Entry<HttpExchange, Long> watch : Map.copyOf(watches).entrySet()) {
            if (System.nanoTime() - watch.getValue() > age.toNanos() && watches.remove(watch.getKey()) != null) {
                watch.getKey().close();
                cut++;
            }
        }
        return cut;
    }

    /** Waits until no call is on its way to the server any more, so that a dead process's are all over. */
    void quiet() throws InterruptedException {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (busy.get() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String query = query(exchange);
        GateCall call = GateCall.of(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                query,
                new String(body, StandardCharsets.UTF_8),
                names);
        boolean first = !query.contains("continue=");
        counts.computeIfAbsent(first ? call.kind() : call.kind() + " (further page)", _ -> new LongAdder())
                .increment();
        Fate fate = script.apply(call);
        try {
            if (fate == Fate.PASS && query.contains("watch=true")) {
                watched(exchange, body);
            } else {
                carryOut(exchange, body, call, fate);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException _) {
            // Whoever asked is gone, or the server is.
        } finally {
            exchange.close();
        }
    }

    private void carryOut(HttpExchange exchange, byte[] body, GateCall call, Fate fate)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = null;
        if (fate.reachesServer()) {
            busy.incrementAndGet();
            try {
                answer = query(exchange).contains("watch=true")
                        ? begun(exchange, body)
                        : http.send(request(exchange, body, LONGEST), HttpResponse.BodyHandlers.ofByteArray());
            } finally {
                busy.decrementAndGet();
            }
            if (call.changes()) {
                lastChange = System.nanoTime();
            }
        }
        switch (fate) {
            case PASS -> {
                HttpResponse<byte[]> told = Objects.requireNonNull(answer);
                byte[] bytes = told.body();
                told.headers()
                        .firstValue("Content-Type")
                        .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
                exchange.sendResponseHeaders(told.statusCode(), bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
            case KILL_BEFORE, KILL_AFTER -> kill.run();
            case CONFLICT -> refuse(exchange, 409, "Conflict");
            case TOO_MANY -> {
                exchange.getResponseHeaders().set("Retry-After", "1");
                refuse(exchange, 429, "TooManyRequests");
            }
            case SERVER_ERROR -> refuse(exchange, 500, "InternalError");
            case UNAVAILABLE -> refuse(exchange, 503, "ServiceUnavailable");
            case CUT_BEFORE, CUT_AFTER -> {}
            case SILENT_AFTER -> TimeUnit.SECONDS.sleep(LONGEST.toSeconds());
        }
    }

    /** Begins a watch at the server, and lets go of it; nothing is told of it. */
    private @Nullable HttpResponse<byte[]> begun(HttpExchange exchange, byte[] body)
            throws IOException, InterruptedException {
        http.send(request(exchange, body, LONGEST), HttpResponse.BodyHandlers.ofInputStream())
                .body()
                .close();
        return null;
    }

    private static String query(HttpExchange exchange) {
        return Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    }

    private static void refuse(HttpExchange exchange, int status, String reason) throws IOException {
        byte[] bytes = ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":"
                        + "\"played by the gate\",\"reason\":\"" + reason + "\",\"code\":" + status + "}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void watched(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                http.send(request(exchange, body, Duration.ofHours(1)), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream in = answer.body();
                OutputStream out = exchange.getResponseBody()) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.statusCode(), 0);
            out.flush();
            watches.put(exchange, System.nanoTime());
            byte[] buffer = new byte[65536];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } finally {
            watches.remove(exchange);
        }
    }

    private HttpRequest request(HttpExchange exchange, byte[] body, Duration patience) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(
                        upstream.resolve(exchange.getRequestURI().toString()))
                .timeout(patience)
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> builder.header(name, value));
            }
        });
        return builder.build();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        http.shutdownNow();
    }
}
