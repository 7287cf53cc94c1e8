package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.k8s.JsonSteps;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.http.Json;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.HttpUrl;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.ByteString;

/**
 * An API server as far as the adapter sees one: objects with versions, refusals as {@code Status}, tokens that stop to
 * count. Behind it stands whatever a test puts there: a fault takes the place of one answer.
 */
public final class FakeApiServer implements AutoCloseable {
    static final String TOKEN = "token-of-the-day";

    private static final HeldCertificate ROOT = new HeldCertificate.Builder()
            .certificateAuthority(0)
            .commonName("root of the cluster")
            .build();
    private static final HeldCertificate SERVER = new HeldCertificate.Builder()
            .commonName("kubernetes")
            .addSubjectAlternativeName("localhost")
            .addSubjectAlternativeName("127.0.0.1")
            .signedBy(ROOT)
            .build();

    private final MockWebServer server = new MockWebServer();
    private final Map<String, JsonObject> objects = new ConcurrentHashMap<>();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final Queue<MockResponse> faults = new ConcurrentLinkedQueue<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();
    private final Set<String> kinds = ConcurrentHashMap.newKeySet();
    private volatile Function<String, Optional<MockResponse>> always = _ -> Optional.empty();
    private volatile Runnable beforePatch = () -> {};
    private long version = 100;

    public static FakeApiServer plain() {
        return new FakeApiServer(false);
    }

    /** Over TLS, asking callers for a certificate. */
    static FakeApiServer secure() {
        return new FakeApiServer(true);
    }

    private FakeApiServer(boolean secure) {
        tokens.add(TOKEN);
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return answer(request);
            }
        });
        if (secure) {
            var certificates = new HandshakeCertificates.Builder()
                    .heldCertificate(SERVER, ROOT.certificate())
                    .addTrustedCertificate(ROOT.certificate())
                    .build();
            server.useHttps(certificates.sslSocketFactory());
            server.requestClientAuth();
        }
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A certificate that this server's root has signed. */
    static HeldCertificate client(UnaryOperator<HeldCertificate.Builder> more) {
        return more.apply(new HeldCertificate.Builder().commonName("fairlead"))
                .signedBy(ROOT)
                .build();
    }

    static String rootPem() {
        return ROOT.certificatePem();
    }

    /** Access with the token that counts. */
    public KubernetesSettings settings() {
        return settings(new Material.Inline(new Secret(TOKEN)));
    }

    KubernetesSettings settings(Material token) {
        return new KubernetesSettings(
                server.url("/").uri(),
                Optional.of("storage"),
                Optional.of(token),
                Optional.empty(),
                new Trust.Roots(new Material.Inline(new Secret(rootPem()))),
                "fairlead/test");
    }

    public ApiClient client() {
        return new ApiClient(settings(), new Backoff(Duration.ofMillis(1), Duration.ofMillis(5)));
    }

    /** One answer that is not the server's; more of them follow each other. */
    public FakeApiServer fault(MockResponse response) {
        faults.add(response);
        return this;
    }

    /** What every call meets until it is lifted. */
    public void outage(MockResponse response) {
        refuse("", response);
    }

    /** What calls meet that begin like this, such as {@code POST /api}, until it is lifted. */
    public void refuse(String calls, MockResponse response) {
        always = asked -> Optional.of(response).filter(_ -> asked.startsWith(calls));
    }

    public void lift() {
        always = _ -> Optional.empty();
    }

    /** What another does between our reading and our changing. */
    public void beforeNextPatch(Runnable other) {
        beforePatch = other;
    }

    /** From now on only this token counts. */
    void accept(String token) {
        tokens.clear();
        tokens.add(token);
    }

    /** Verb and path of each request, in their order. */
    public List<String> seen() {
        return List.copyOf(seen);
    }

    /** What follows the path of each request, in their order. */
    public List<String> queries() {
        return List.copyOf(queries);
    }

    public Map<String, JsonObject> objects() {
        return objects;
    }

    public JsonObject object(String path) {
        return Optional.ofNullable(objects.get(path)).orElseThrow();
    }

    /** Knows a kind of which it has no object yet; the list of another is not found. */
    public void know(String path) {
        kinds.add(path);
    }

    public synchronized void put(String path, JsonObject object) {
        objects.put(path, versioned(object.deepCopy()));
    }

    private JsonObject versioned(JsonObject object) {
        if (!object.has("metadata")) {
            object.add("metadata", new JsonObject());
        }
        object.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(++version));
        return object;
    }

    private synchronized MockResponse answer(RecordedRequest request) {
        String path = request.getUrl().encodedPath();
        seen.add(request.getMethod() + " " + path);
        queries.add(Optional.ofNullable(request.getUrl().query()).orElse(""));
        MockResponse fault = always.apply(request.getMethod() + " " + path).orElseGet(faults::poll);
        if (fault != null) {
            return fault;
        }
        String bearer = Objects.requireNonNullElse(request.getHeaders().get("Authorization"), "")
                .replaceFirst("^Bearer ", "");
        if (!tokens.contains(bearer) && request.getHandshake() == null) {
            return status(401, "Unauthorized", "Unauthorized");
        }
        String text =
                Optional.ofNullable(request.getBody()).map(ByteString::utf8).orElse("");
        if (ApiRequest.Verb.STEPS.mediaType().equals(request.getHeaders().get("Content-Type"))) {
            return steps(path, JsonParser.parseString(text).getAsJsonArray());
        }
        JsonObject body = Json.object(text).orElseGet(JsonObject::new);
        return switch (request.getMethod()) {
            case "GET" -> get(path, request.getUrl());
            case "POST" -> create(path, body);
            case "PUT" -> replace(path, body);
            case "PATCH" -> patch(path, body);
            default -> status(405, "MethodNotAllowed", "not allowed");
        };
    }

    private MockResponse get(String path, HttpUrl url) {
        JsonObject found = objects.get(path);
        if (found != null) {
            return json(200, found);
        }
        List<String> below = objects.keySet().stream()
                .filter(name -> name.matches(Pattern.quote(path) + "/[^/]+"))
                .sorted()
                .toList();
        boolean list = url.queryParameter("limit") != null && (!below.isEmpty() || kinds.contains(path));
        return list ? json(200, page(below, url)) : notFound(path);
    }

    /** As the server does: no more than the limit, and a token for the rest. */
    private JsonObject page(List<String> names, HttpUrl url) {
        int from = Integer.parseInt(Objects.requireNonNullElse(url.queryParameter("continue"), "0"));
        int most = Integer.parseInt(Objects.requireNonNullElse(url.queryParameter("limit"), "1000000"));
        int to = Math.min(names.size(), from + most);
        JsonArray items = new JsonArray();
        names.subList(from, to).forEach(name -> items.add(object(name)));
        JsonObject metadata = new JsonObject();
        if (to < names.size()) {
            metadata.addProperty("continue", Integer.toString(to));
        }
        JsonObject list = new JsonObject();
        list.addProperty("kind", "List");
        list.add("metadata", metadata);
        list.add("items", items);
        return list;
    }

    private MockResponse create(String path, JsonObject body) {
        String name =
                path + "/" + Json.text(Json.child(body, "metadata"), "name").orElse("");
        if (objects.containsKey(name)) {
            return status(409, "AlreadyExists", name + " already exists");
        }
        objects.put(name, versioned(body));
        return json(201, body);
    }

    private MockResponse replace(String path, JsonObject body) {
        JsonObject found = objects.get(path);
        if (found == null) {
            return notFound(path);
        }
        var known = Json.text(Json.child(body, "metadata"), "resourceVersion");
        if (!known.equals(Json.text(Json.child(found, "metadata"), "resourceVersion"))) {
            return status(409, "Conflict", "the object has been modified; please apply your changes to the latest");
        }
        objects.put(path, versioned(body));
        return json(200, body);
    }

    private MockResponse patch(String path, JsonObject body) {
        JsonObject found = objects.get(path);
        if (found == null) {
            return notFound(path);
        }
        for (Map.Entry<String, JsonElement> change : body.entrySet()) {
            found.add(change.getKey(), change.getValue());
        }
        return json(200, versioned(found));
    }

    private MockResponse steps(String path, JsonArray steps) {
        beforePatch.run();
        beforePatch = () -> {};
        JsonObject found = objects.get(path);
        if (found == null) {
            return notFound(path);
        }
        Optional<JsonObject> changed = JsonSteps.apply(found, steps);
        changed.ifPresent(it -> objects.put(path, versioned(it)));
        return changed.map(it -> json(200, it))
                .orElseGet(() -> status(422, "Invalid", "the server rejected our request due to an error in it"));
    }

    private static MockResponse notFound(String path) {
        return status(404, "NotFound", path + " not found");
    }

    public static MockResponse status(int code, String reason, String message) {
        JsonObject status = new JsonObject();
        status.addProperty("kind", "Status");
        status.addProperty("reason", reason);
        status.addProperty("message", message);
        status.addProperty("code", code);
        return json(code, status);
    }

    public static MockResponse json(int code, JsonObject object) {
        return new MockResponse.Builder()
                .code(code)
                .addHeader("Content-Type", "application/json")
                .body(object.toString())
                .build();
    }

    public static MockResponse html(int code) {
        return new MockResponse.Builder()
                .code(code)
                .addHeader("Content-Type", "text/html")
                .body("<html><body>the gateway speaks</body></html>")
                .build();
    }

    @Override
    public void close() {
        server.close();
    }
}
