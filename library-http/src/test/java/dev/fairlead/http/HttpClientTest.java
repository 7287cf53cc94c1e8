package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpRequest.Method;
import dev.fairlead.http.trust.CertificatePin;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final HeldCertificate ITSELF =
            new HeldCertificate.Builder().commonName("appliance.invalid").build();
    private static final HttpRequest READ = HttpRequest.get(List.of("pools"), Map.of("_sid", "s3cret-sid"), "reading");
    private static final HttpRequest WRITE = new HttpRequest(
            Method.POST,
            List.of("pools"),
            Map.of(),
            Optional.of(HttpRequest.Body.json(new JsonObject())),
            "making",
            false);

    private final MockWebServer server = new MockWebServer();

    @BeforeEach
    void start() throws IOException {
        server.useHttps(new HandshakeCertificates.Builder()
                .heldCertificate(ITSELF)
                .build()
                .sslSocketFactory());
        server.start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void a_server_is_known_by_the_certificate_that_is_pinned() throws GeneralSecurityException {
        server.enqueue(new MockResponse.Builder().body("{}").build());

        assertThat(client(pinned(ITSELF)).ask(READ, PATIENCE)).isEqualTo("200");
    }

    @Test
    void another_certificate_of_the_same_name_is_not_believed() throws GeneralSecurityException {
        var other =
                new HeldCertificate.Builder().commonName("appliance.invalid").build();
        server.enqueue(new MockResponse.Builder().body("{}").build());

        assertThatThrownBy(() -> client(pinned(other)).ask(READ, PATIENCE))
                .hasMessageContaining("no trusted connection")
                .hasMessageContaining("not pinned");
        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void a_server_that_signed_itself_is_not_believed_without_a_pin() throws IOException {
        try (MockWebServer named = serving(certificate("localhost"))) {
            assertThatThrownBy(() -> client(named, new Trust.SystemRoots()).ask(READ, PATIENCE))
                    .hasMessageContaining("no trusted connection");
            assertThat(named.getRequestCount()).isZero();
        }
    }

    @Test
    void a_root_that_is_believed_vouches_for_the_names_in_its_certificates_alone() throws IOException {
        HeldCertificate here = certificate("localhost");
        HeldCertificate elsewhere = certificate("appliance.invalid");
        try (MockWebServer named = serving(here);
                MockWebServer misnamed = serving(elsewhere)) {
            assertThat(client(named, root(here)).ask(READ, PATIENCE)).isEqualTo("200");
            assertThatThrownBy(() -> client(named, root(elsewhere)).ask(READ, PATIENCE))
                    .hasMessageContaining("no trusted connection");
            assertThatThrownBy(() -> client(misnamed, root(elsewhere)).ask(READ, PATIENCE))
                    .hasMessageContaining("no trusted connection");
            assertThat(misnamed.getRequestCount()).isZero();
        }
    }

    private static HeldCertificate certificate(String name) {
        return new HeldCertificate.Builder().addSubjectAlternativeName(name).build();
    }

    private static MockWebServer serving(HeldCertificate certificate) throws IOException {
        var other = new MockWebServer();
        other.useHttps(new HandshakeCertificates.Builder()
                .heldCertificate(certificate)
                .build()
                .sslSocketFactory());
        other.enqueue(new MockResponse.Builder().body("{}").build());
        other.start();
        return other;
    }

    private static Trust root(HeldCertificate certificate) {
        return new Trust.Roots(new Material.Inline(new Secret(certificate.certificatePem())));
    }

    @Test
    void a_user_s_name_has_no_colon() {
        assertThatThrownBy(() -> new BasicLogin("ad:min", new Secret("pass-w0rd")))
                .hasMessageContaining("has a colon")
                .hasMessageNotContaining("pass-w0rd");
    }

    @Test
    void what_a_server_repeats_of_a_password_is_not_shown() {
        server.enqueue(new MockResponse.Builder()
                .code(503)
                .body("bad login admin:pass-w0rd (Basic YWRtaW46cGFzcy13MHJk)")
                .build());

        assertThatThrownBy(() -> client(new Trust.Anything()).ask(WRITE, PATIENCE))
                .hasMessageContaining("bad login admin:***")
                .hasMessageNotContaining("pass-w0rd")
                .hasMessageNotContaining("YWRtaW46cGFzcy13MHJk");
    }

    @Test
    void a_user_is_told_by_name_and_password() throws InterruptedException {
        server.enqueue(new MockResponse.Builder().body("{}").build());

        client(new Trust.Anything()).ask(READ, PATIENCE);

        RecordedRequest request = server.takeRequest();
        assertThat(request.getHeaders().get("Authorization")).isEqualTo("Basic YWRtaW46cGFzcy13MHJk");
    }

    @Test
    void a_request_shows_neither_its_query_nor_its_body() {
        assertThat(READ).hasToString("GET pools");
        assertThat(WRITE.body().orElseThrow()).hasToString("application/json, 2 characters");
    }

    @Test
    void what_changes_something_is_an_effect_of_the_work() {
        server.enqueue(new MockResponse.Builder().body("{}").build());
        server.enqueue(new MockResponse.Builder().body("{}").build());
        var work = TestWork.patient();
        var client = client(new Trust.Anything());

        client.ask(READ, work, PATIENCE);
        int reading = work.effects().size();
        client.ask(WRITE, work, PATIENCE);

        assertThat(reading).isZero();
        assertThat(work.effects()).hasSize(1);
    }

    @Test
    void a_caller_with_less_than_a_millisecond_left_does_not_wait_the_whole_patience() {
        server.enqueue(new MockResponse.Builder()
                .headersDelay(10, TimeUnit.SECONDS)
                .body("{}")
                .build());
        var client = client(new Trust.Anything());
        TestWork work = TestWork.patient().left(Duration.ofNanos(300_000));
        long begin = System.nanoTime();

        assertThatThrownBy(() -> client.ask(READ, work, PATIENCE)).isInstanceOf(StorageException.class);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    }

    private static HttpRequest bare(Method method) {
        return new HttpRequest(method, List.of("pools"), Map.of(), Optional.empty(), "changing", false);
    }

    @Test
    void a_request_that_changes_something_needs_no_body() throws InterruptedException {
        for (Method method : List.of(Method.POST, Method.PUT, Method.PATCH, Method.DELETE)) {
            server.enqueue(new MockResponse.Builder().body("{}").build());

            assertThat(client(new Trust.Anything()).ask(bare(method), PATIENCE)).isEqualTo("200");

            RecordedRequest request = server.takeRequest();
            assertThat(request.getMethod()).isEqualTo(method.name());
            assertThat(request.getHeaders().get("Content-Length")).isEqualTo("0");
            assertThat(request.getHeaders().get("Content-Type")).isNull();
        }
    }

    /** The library sends what it takes for repeatable a second time by itself: a DELETE too. */
    @Test
    void what_may_be_done_only_once_is_sent_once() {
        for (Method method : List.of(Method.POST, Method.DELETE)) {
            var client = client(new Trust.Anything());
            server.enqueue(new MockResponse.Builder().body("{}").build());
            server.enqueue(new MockResponse.Builder()
                    .onResponseStart(new SocketEffect.CloseSocket())
                    .build());
            server.enqueue(new MockResponse.Builder().body("{}").build());
            assertThat(client.ask(READ, PATIENCE)).isEqualTo("200");
            int before = server.getRequestCount();

            assertThatThrownBy(() -> client.ask(bare(method), PATIENCE)).hasMessageContaining("the connection broke");

            assertThat(server.getRequestCount() - before).isEqualTo(1);
            assertThat(client.ask(READ, PATIENCE)).isEqualTo("200");
        }
    }

    private static Trust pinned(HeldCertificate certificate) throws GeneralSecurityException {
        return new Trust.Pins(Set.of(CertificatePin.of(certificate.certificate())));
    }

    private HttpClient<String> client(Trust trust) {
        return client(server, trust);
    }

    private static HttpClient<String> client(MockWebServer server, Trust trust) {
        var settings = new HttpSettings(
                URI.create(server.url("/api").toString()),
                trust,
                Optional.empty(),
                Optional.of(new BasicLogin("admin", new Secret("pass-w0rd"))),
                "fairlead/test",
                1000);
        var backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(5));
        return new HttpClient<>("appliance", settings, HttpClientTest::read, new Words(), backoff);
    }

    private static Verdict<String> read(HttpAnswer answer) {
        return answer.isSuccess()
                ? new Verdict.Final<>(Integer.toString(answer.status()), "done")
                : new Verdict.Passing<>(answer.text().orElse(""), false, answer.after());
    }

    private static final class Words implements HttpFailures {
        @Override
        public Failure unavailable(String what, String detail) {
            return new Failure.BackendUnavailable("nas", what + ": " + detail);
        }

        @Override
        public Failure unintelligible(String what, String detail) {
            return unavailable(what, detail);
        }

        @Override
        public Failure unusable(Part part, String detail) {
            throw new StorageException(unavailable(part.toString(), detail));
        }
    }
}
