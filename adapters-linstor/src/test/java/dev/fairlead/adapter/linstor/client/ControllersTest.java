package dev.fairlead.adapter.linstor.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.BasicLogin;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Handshake;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How controllers are asked: which one, as whom, and what is made of their answers. */
class ControllersTest extends ControllersFixture {
    @TempDir
    private Path folder;

    @Test
    void one_that_does_not_listen_is_passed_over_at_once() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        try (MockWebServer server = started();
                Controllers controllers = new Controllers(
                        List.of(URI.create("http://127.0.0.1:" + closed), address(server)),
                        plain(Optional.empty()),
                        SHORT)) {
            server.enqueue(list());
            long start = System.nanoTime();

            assertThat(nodes(controllers)).isEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT.dividedBy(2));
        }
    }

    @Test
    void errors_of_each_shape_are_put_into_words() throws IOException {
        try (MockWebServer server = started();
                Controllers controllers = new Controllers(List.of(address(server)), plain(Optional.empty()), SHORT)) {
            server.enqueue(json(404, "[{\"ret_code\": -4611686018427387604, \"message\": \"Node 'x' not found.\"}]"));
            assertThatThrownBy(() -> nodes(controllers)).hasMessageContaining("Node 'x' not found.");

            server.enqueue(json(
                    400,
                    "{\"location\": \"/x\", \"messages\": [{\"ret_code\": 1, \"message\": \"fine\"},"
                            + " {\"ret_code\": -4611686018406940445, \"message\": \"not so\"}]}"));
            assertThatThrownBy(() -> nodes(controllers))
                    .hasMessageContaining("not so")
                    .hasMessageNotContaining("fine");
        }
    }

    @Test
    void an_error_without_words_is_asked_again_until_the_time_is_up_and_then_said_so() throws IOException {
        try (MockWebServer server = started();
                Controllers controllers =
                        new Controllers(List.of(address(server)), plain(Optional.empty()), Duration.ofSeconds(4))) {
            for (int at = 0; at < 30; at++) {
                server.enqueue(json(500, "[{\"ret_code\": -4611686018427386906, \"error_report_ids\": [\"6B\"]}]"));
            }

            assertThatThrownBy(() -> nodes(controllers)).hasMessageContaining("without a message");
        }
    }

    @Test
    @Timeout(60)
    void a_list_that_never_ends_is_a_failure() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (MockWebServer server = started();
                Controllers controllers =
                        new Controllers(List.of(address(server)), plain(Optional.empty()), Duration.ofMillis(500))) {
            server.setDispatcher(new Dispatcher() {
                @Override
                public MockResponse dispatch(RecordedRequest request) {
                    return json(200, "[{\"name\": \"node-" + asked.incrementAndGet() + "\"}]");
                }
            });

            assertThatThrownBy(() -> controllers.pages(names(), Map.of(), 1, _ -> {}))
                    .isInstanceOf(StorageException.class);
        }
    }

    @Test
    void what_is_no_list_of_objects_is_a_failure() throws IOException {
        try (MockWebServer server = started();
                Controllers controllers = new Controllers(List.of(address(server)), plain(Optional.empty()), SHORT)) {
            for (String wrong : new String[] {"{}", "[1]", "[null]", "<html></html>", "", "[{}"}) {
                server.enqueue(json(200, wrong));
                assertThatThrownBy(() -> nodes(controllers)).as(wrong).isInstanceOf(StorageException.class);
            }
        }
    }

    @Test
    void a_token_is_read_anew_in_either_form_and_basic_is_sent_else() throws Exception {
        Path token = folder.resolve("token");
        try (MockWebServer server = started();
                Controllers byToken = new Controllers(
                        List.of(address(server)),
                        plain(Optional.of(new TokenFile(new Material.InFile(token)))),
                        SHORT);
                Controllers byUser = new Controllers(
                        List.of(address(server)),
                        plain(Optional.of(new BasicLogin("me", new Secret("hidden")))),
                        SHORT)) {
            assertThatThrownBy(() -> nodes(byToken)).hasMessageContaining("LS_BEARER_TOKEN_FILE");

            Files.writeString(token, "{\"token\": \"one\"}\n");
            assertThat(authorization(server, byToken)).isEqualTo("Bearer one");
            Files.writeString(token, "two\n");
            assertThat(authorization(server, byToken)).isEqualTo("Bearer two");
            assertThat(authorization(server, byUser)).isEqualTo("Basic bWU6aGlkZGVu");
        }
    }

    @Test
    void a_client_s_certificate_is_read_anew() throws Exception {
        HeldCertificate root =
                new HeldCertificate.Builder().certificateAuthority(1).build();
        HeldCertificate host = new HeldCertificate.Builder()
                .signedBy(root)
                .addSubjectAlternativeName("localhost")
                .build();
        try (MockWebServer server = new MockWebServer()) {
            server.useHttps(new HandshakeCertificates.Builder()
                    .addTrustedCertificate(root.certificate())
                    .heldCertificate(host)
                    .build()
                    .sslSocketFactory());
            server.requireClientAuth();
            server.start();
            Material chain = new Material.InFile(folder.resolve("tls.crt"));
            Material key = new Material.InFile(folder.resolve("tls.key"));
            Function<URI, HttpSettings> settings = uri -> new HttpSettings(
                    uri,
                    new Trust.Roots(new Material.Inline(new Secret(root.certificatePem()))),
                    Optional.of(new ClientCertificate(chain, key)),
                    Optional.empty(),
                    "test",
                    1 << 20);
            try (Controllers controllers =
                    new Controllers(List.of(URI.create("https://localhost:" + server.getPort())), settings, SHORT)) {
                assertThat(shown(server, controllers, root, "first")).contains("CN=first");
                assertThat(shown(server, controllers, root, "second")).contains("CN=second");
            }
        }
    }

    @Test
    void roots_are_read_anew() throws Exception {
        Path roots = folder.resolve("ca.crt");
        HeldCertificate root =
                new HeldCertificate.Builder().certificateAuthority(1).build();
        HeldCertificate former =
                new HeldCertificate.Builder().certificateAuthority(1).build();
        HeldCertificate host = new HeldCertificate.Builder()
                .signedBy(root)
                .addSubjectAlternativeName("localhost")
                .build();
        Files.writeString(roots, former.certificatePem());
        try (MockWebServer server = new MockWebServer()) {
            server.useHttps(new HandshakeCertificates.Builder()
                    .heldCertificate(host)
                    .build()
                    .sslSocketFactory());
            server.start();
            Function<URI, HttpSettings> settings = uri -> new HttpSettings(
                    uri,
                    new Trust.Roots(new Material.InFile(roots)),
                    Optional.empty(),
                    Optional.empty(),
                    "test",
                    1 << 20);
            try (Controllers controllers =
                    new Controllers(List.of(URI.create("https://localhost:" + server.getPort())), settings, SHORT)) {
                assertThatThrownBy(() -> nodes(controllers)).isInstanceOf(StorageException.class);

                Files.writeString(roots, root.certificatePem());
                server.enqueue(list());
                assertThat(nodes(controllers)).isEmpty();
            }
        }
    }

    private String shown(MockWebServer server, Controllers controllers, HeldCertificate root, String name)
            throws Exception {
        HeldCertificate made =
                new HeldCertificate.Builder().signedBy(root).commonName(name).build();
        Files.writeString(folder.resolve("tls.crt"), made.certificatePem());
        Files.writeString(folder.resolve("tls.key"), made.privateKeyPkcs8Pem());
        server.enqueue(list());
        nodes(controllers);
        RecordedRequest request = server.takeRequest();
        Handshake handshake = Objects.requireNonNull(request.getHandshake());
        X509Certificate peer = (X509Certificate) handshake.peerCertificates().getFirst();
        return peer.getSubjectX500Principal().toString();
    }

    private static String authorization(MockWebServer server, Controllers controllers) throws InterruptedException {
        server.enqueue(list());
        nodes(controllers);
        return String.valueOf(server.takeRequest().getHeaders().get("Authorization"));
    }
}
