package dev.fairlead.adapter.k8s.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.Secret;
import dev.fairlead.http.HttpClient;
import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TlsTest {
    private static final FakeApiServer SERVER = FakeApiServer.secure();
    private static final ApiRequest READ = ApiRequest.get(List.of("api", "v1", "nodes", "n1"), "reading n1");
    private static final Trust CLUSTER = new Trust.Roots(inline(FakeApiServer.rootPem()));

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @Test
    void a_client_certificate_says_who_is_there() {
        var client = FakeApiServer.client(builder -> builder.ecdsa256());

        assertThat(read(CLUSTER, client.privateKeyPkcs8Pem(), client)).isTrue();
    }

    @Test
    void the_key_may_be_in_rsas_own_form() {
        var client = FakeApiServer.client(builder -> builder.rsa2048());

        assertThat(read(CLUSTER, client.privateKeyPkcs1Pem(), client)).isTrue();
    }

    @Test
    void a_server_that_an_unknown_root_has_signed_is_not_talked_to() {
        var other = new HeldCertificate.Builder().certificateAuthority(0).build();
        var client = FakeApiServer.client(builder -> builder.ecdsa256());
        var trust = new Trust.Roots(inline(other.certificatePem()));

        assertThatThrownBy(() -> read(trust, client.privateKeyPkcs8Pem(), client))
                .hasMessageContaining("FL-KUBE-001")
                .hasMessageContaining("no trusted connection");
    }

    @Test
    void the_systems_roots_have_not_signed_it_either() {
        var client = FakeApiServer.client(builder -> builder.ecdsa256());

        assertThatThrownBy(() -> read(new Trust.SystemRoots(), client.privateKeyPkcs8Pem(), client))
                .hasMessageContaining("no trusted connection");
    }

    @Test
    void anybody_is_believed_only_where_that_is_said() {
        var client = FakeApiServer.client(builder -> builder.ecdsa256());

        assertThat(read(new Trust.Anything(), client.privateKeyPkcs8Pem(), client))
                .isTrue();
    }

    @Test
    void a_key_that_cannot_be_read_is_said_so_and_not_shown() {
        var client = FakeApiServer.client(builder -> builder.ecdsa256());
        var secret = "c2VjcmV0IHNlY3JldA==";

        assertThatThrownBy(() -> read(
                        CLUSTER, "-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----\n", client))
                .hasMessage("FL-NODE-005 reading the client's certificate for the API server failed on this node: holds"
                        + " a key of an unknown algorithm")
                .hasMessageNotContaining(secret);
    }

    @Test
    void roots_that_are_not_there_are_said_so() {
        var trust = new Trust.Roots(new Material.InFile(Path.of("/no/such/ca.crt")));

        assertThatThrownBy(() -> new ApiClient(settings(trust, Optional.empty()), HttpClient.USUAL_BACKOFF))
                .hasMessageContaining("FL-NODE-005 reading the roots of the API server")
                .hasMessageContaining("/no/such/ca.crt");
    }

    /** Whether the server answered for the one that the certificate names; it knows no such node. */
    private static boolean read(Trust trust, String key, HeldCertificate client) {
        var certificate = new ClientCertificate(inline(client.certificatePem()), inline(key));
        var answer = new ApiClient(settings(trust, Optional.of(certificate)), HttpClient.USUAL_BACKOFF)
                .ask(READ, Duration.ofSeconds(20));
        return answer instanceof ApiAnswer.Refused refused && refused.isNotFound();
    }

    private static KubernetesSettings settings(Trust trust, Optional<ClientCertificate> certificate) {
        return new KubernetesSettings(
                SERVER.settings().server(), Optional.empty(), Optional.empty(), certificate, trust, "fairlead/test");
    }

    private static Material inline(String text) {
        return new Material.Inline(new Secret(text));
    }
}
