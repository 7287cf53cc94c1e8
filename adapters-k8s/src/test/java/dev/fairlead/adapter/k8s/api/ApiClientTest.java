package dev.fairlead.adapter.k8s.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpClient;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.Json;
import dev.fairlead.http.trust.Material;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(150);
    private static final ApiRequest READ = ApiRequest.get(List.of("api", "v1", "nodes", "n1"), "reading n1");
    private static final ApiRequest WRITE =
            ApiRequest.once(Verb.PUT, List.of("api", "v1", "nodes", "n1"), node(), "writing n1");

    private final FakeApiServer server = FakeApiServer.plain();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void an_object_comes_back() {
        server.put("/api/v1/nodes/n1", node());

        assertThat(server.client().ask(READ, PATIENCE))
                .isInstanceOfSatisfying(
                        ApiAnswer.Done.class,
                        done -> assertThat(Json.text(done.object(), "kind")).contains("Node"));
    }

    @Test
    void a_name_cannot_lead_to_another_path() {
        var hostile = ApiRequest.get(List.of("api", "v1", "nodes", "../secrets/x?y#z"), "reading");

        server.client().ask(hostile, PATIENCE);

        assertThat(server.seen()).containsExactly("GET /api/v1/nodes/..%2Fsecrets%2Fx%3Fy%23z");
    }

    @Test
    void a_token_that_was_replaced_is_read_anew(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), FakeApiServer.TOKEN + "\n");
        server.put("/api/v1/nodes/n1", node());
        var client = new ApiClient(server.settings(new Material.InFile(file)), HttpClient.USUAL_BACKOFF);
        assertThat(client.ask(READ, PATIENCE)).isInstanceOf(ApiAnswer.Done.class);

        server.accept("token-of-tomorrow");
        var refused = client.ask(READ, PATIENCE);
        Files.writeString(file, "token-of-tomorrow");
        var done = client.ask(READ, PATIENCE);

        assertThat(refused)
                .isInstanceOfSatisfying(
                        ApiAnswer.Refused.class,
                        answer -> assertThat(answer.status()).isEqualTo(401));
        assertThat(done).isInstanceOf(ApiAnswer.Done.class);
    }

    @Test
    void while_the_token_cannot_be_read_the_last_one_serves(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), FakeApiServer.TOKEN);
        server.put("/api/v1/nodes/n1", node());
        var client = new ApiClient(server.settings(new Material.InFile(file)), HttpClient.USUAL_BACKOFF);
        client.ask(READ, PATIENCE);

        Files.delete(file);

        assertThat(client.ask(READ, PATIENCE)).isInstanceOf(ApiAnswer.Done.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "line\nline", "\u00e9"})
    void what_is_no_token_is_not_sent_and_not_shown(String text, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), text);
        var client = new ApiClient(server.settings(new Material.InFile(file)), HttpClient.USUAL_BACKOFF);

        assertThatThrownBy(() -> client.ask(READ, PATIENCE))
                .isInstanceOf(StorageException.class)
                .hasMessage("FL-NODE-005 reading the token for Kubernetes failed on this node: " + file
                        + " holds no token, or cannot be read");
        assertThat(server.seen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void what_may_pass_is_asked_again_where_that_is_safe(int status) {
        server.put("/api/v1/nodes/n1", node());
        server.fault(FakeApiServer.html(status)).fault(FakeApiServer.status(status, "InternalError", "etcd"));

        assertThat(server.client().ask(READ, PATIENCE)).isInstanceOf(ApiAnswer.Done.class);
        assertThat(server.seen()).hasSize(3);
    }

    @Test
    void what_may_have_been_done_is_not_done_again() {
        server.fault(FakeApiServer.status(500, "InternalError", "etcdserver: request timed out"));

        assertThatThrownBy(() -> server.client().ask(WRITE, PATIENCE))
                .hasMessage("FL-KUBE-001 writing n1 failed, Kubernetes is not available: status 500,"
                        + " 'etcdserver: request timed out'");
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void a_busy_server_is_left_alone_for_as_long_as_it_asks() {
        server.put("/api/v1/nodes/n1", node());
        server.fault(busy("1"));
        long start = System.nanoTime();

        var answer = server.client().ask(WRITE, PATIENCE);

        assertThat(answer).isInstanceOf(ApiAnswer.Refused.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_busy_server_that_asks_for_more_than_the_patience_is_not_waited_for() {
        server.fault(busy("60"));

        assertThatThrownBy(() -> server.client().ask(READ, PATIENCE))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.ClusterUnavailable.class));
        assertThat(server.seen()).hasSize(1);
    }

    @Test
    void a_server_that_hangs_costs_no_more_than_the_patience() {
        server.outage(new MockResponse.Builder()
                .onResponseStart(SocketEffect.Stall.INSTANCE)
                .build());
        long start = System.nanoTime();

        assertThatThrownBy(() -> server.client().ask(READ, SHORT)).hasMessageContaining("no answer within");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE);
    }

    @Test
    void an_answer_that_trickles_costs_no_more_than_the_patience() {
        server.outage(new MockResponse.Builder()
                .body("x".repeat(1000))
                .throttleBody(1, 20, java.util.concurrent.TimeUnit.MILLISECONDS)
                .build());

        assertThatThrownBy(() -> server.client().ask(READ, SHORT)).hasMessageContaining("FL-KUBE-001");
    }

    @Test
    void a_connection_that_breaks_is_made_anew() {
        server.put("/api/v1/nodes/n1", node());
        server.fault(new MockResponse.Builder()
                .body("{\"kind\":\"Node\"")
                .onResponseBody(new SocketEffect.CloseSocket())
                .build());

        assertThat(server.client().ask(READ, PATIENCE)).isInstanceOf(ApiAnswer.Done.class);
    }

    @Test
    void nobody_at_the_address_is_said_so() {
        var client = server.client();
        server.close();

        assertThatThrownBy(() -> client.ask(READ, SHORT))
                .hasMessage(
                        "FL-KUBE-001 reading n1 failed, Kubernetes is not available: nobody listens at its address");
    }

    @Test
    void a_page_for_people_is_no_answer() {
        server.fault(FakeApiServer.html(200));

        assertThatThrownBy(() -> server.client().ask(READ, PATIENCE))
                .hasMessage("FL-KUBE-003 reading n1 got an answer that is not Kubernetes': status 200 with no JSON"
                        + " object of type text/html");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}{}", "{a:1}", "\"x\"", "{\"a\":NaN}", "", "nothing"})
    void nor_is_anything_that_is_not_one_json_object(String body) {
        server.fault(new MockResponse.Builder().body(body).build());

        assertThatThrownBy(() -> server.client().ask(READ, PATIENCE)).hasMessageContaining("FL-KUBE-003");
    }

    @Test
    void nor_is_a_flood() {
        server.fault(new MockResponse.Builder()
                .body("{\"kind\":\"" + "x".repeat(HttpSettings.USUAL_MAX_BYTES) + "\"}")
                .build());

        assertThatThrownBy(() -> server.client().ask(READ, PATIENCE))
                .hasMessageContaining("FL-KUBE-003")
                .hasMessageContaining("more than 1048576 bytes");
    }

    @Test
    void nor_is_nesting_without_end() {
        server.fault(new MockResponse.Builder().body("{\"a\":".repeat(100_000)).build());

        assertThatThrownBy(() -> server.client().ask(READ, PATIENCE)).hasMessageContaining("FL-KUBE-003");
    }

    @Test
    void a_gateways_404_does_not_say_that_the_object_is_missing() {
        server.fault(FakeApiServer.html(404));

        assertThat(server.client().ask(READ, PATIENCE))
                .isInstanceOfSatisfying(
                        ApiAnswer.Refused.class,
                        refused -> assertThat(refused.isNotFound()).isFalse());
        assertThat(server.client().ask(READ, PATIENCE))
                .isInstanceOfSatisfying(
                        ApiAnswer.Refused.class,
                        refused -> assertThat(refused.isNotFound()).isTrue());
    }

    @Test
    void a_redirect_does_not_get_the_token() {
        try (var elsewhere = FakeApiServer.plain()) {
            server.fault(new MockResponse.Builder()
                    .code(307)
                    .addHeader("Location", elsewhere.settings().server() + "api/v1/nodes/n1")
                    .build());

            assertThatThrownBy(() -> server.client().ask(READ, PATIENCE)).hasMessageContaining("FL-KUBE-003");
            assertThat(elsewhere.seen()).isEmpty();
        }
    }

    @Test
    void nothing_that_is_thrown_shows_the_token() {
        var secret = "very-secret-token-0815";
        var client = new ApiClient(server.settings(new Material.Inline(new Secret(secret))), new Backoff(SHORT, SHORT));
        server.fault(FakeApiServer.html(200)).fault(FakeApiServer.status(500, "x", "y"));

        for (ApiRequest request : List.of(READ, WRITE)) {
            assertThatThrownBy(() -> client.ask(request, SHORT)).satisfies(thrown -> {
                for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                    assertThat(cause.toString()).doesNotContain(secret);
                }
            });
        }
        assertThat(server.settings(new Material.Inline(new Secret(secret))).toString())
                .doesNotContain(secret);
    }

    private static MockResponse busy(String seconds) {
        return new MockResponse.Builder()
                .code(429)
                .addHeader("Retry-After", seconds)
                .build();
    }

    private static JsonObject node() {
        JsonObject node = new JsonObject();
        node.addProperty("kind", "Node");
        return node;
    }
}
