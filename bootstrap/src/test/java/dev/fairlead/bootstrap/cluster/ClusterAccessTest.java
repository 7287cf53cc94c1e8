package dev.fairlead.bootstrap.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Secret;
import dev.fairlead.http.trust.ClientCertificate;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterAccessTest {
    private static final String FILE = """
            apiVersion: v1
            kind: Config
            clusters:
            - name: lab
              cluster: {server: "https://198.51.100.1:6443/prefix", certificate-authority-data: Q0E=}
            - name: open
              cluster: {server: "https://localhost:1", insecure-skip-tls-verify: true}
            users:
            - name: admin
              user: {token: t0p-s3cret}
            - name: cert
              user: {client-certificate-data: Q0VSVA==, client-key: keys/client.key}
            - name: cloud
              user: {exec: {command: login}}
            contexts:
            - {name: by-token, context: {cluster: lab, user: admin, namespace: storage}}
            - {name: by-cert, context: {cluster: open, user: cert}}
            - {name: by-program, context: {cluster: lab, user: cloud}}
            - {name: astray, context: {cluster: nowhere, user: admin}}
            current-context: CONTEXT
            """;

    @TempDir
    private Path folder;

    @Test
    void a_pod_has_its_service_account() throws IOException {
        account();

        var settings = read(Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", "KUBERNETES_SERVICE_PORT", "443"));

        assertThat(settings.server()).isEqualTo(URI.create("https://10.96.0.1:443"));
        assertThat(settings.namespace()).contains("storage");
        assertThat(settings.token()).contains(new Material.InFile(folder.resolve("token")));
        assertThat(settings.trust()).isEqualTo(new Trust.Roots(new Material.InFile(folder.resolve("ca.crt"))));
    }

    @Test
    void an_address_of_the_newer_kind_is_put_into_brackets() throws IOException {
        account();

        assertThat(read(Map.of("KUBERNETES_SERVICE_HOST", "fd00::1")).server())
                .isEqualTo(URI.create("https://[fd00::1]:443"));
    }

    @Test
    void without_any_access_it_says_what_to_do() {
        assertThatThrownBy(() -> read(Map.of()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(
                        "there is no access to it (run in a pod with a service account, or let KUBECONFIG");
    }

    @Test
    void a_pod_without_a_token_is_told_of_it() {
        assertThatThrownBy(() -> read(Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1")))
                .hasMessageContaining(folder.resolve("token") + " cannot be read")
                .hasMessageContaining("automountServiceAccountToken");
    }

    @Test
    void a_file_gives_the_token_of_its_current_context() throws IOException {
        var settings = kubeconfig("by-token");

        assertThat(settings.server()).isEqualTo(URI.create("https://198.51.100.1:6443/prefix"));
        assertThat(settings.namespace()).contains("storage");
        assertThat(settings.token()).contains(new Material.Inline(new Secret("t0p-s3cret")));
        assertThat(settings.trust()).isEqualTo(new Trust.Roots(new Material.Inline(new Secret("CA"))));
        assertThat(settings.toString()).doesNotContain("s3cret");
    }

    @Test
    void a_file_gives_a_certificate_whose_key_lies_beside_it() throws IOException {
        var settings = kubeconfig("by-cert");

        assertThat(settings.certificate())
                .contains(new ClientCertificate(
                        new Material.Inline(new Secret("CERT")),
                        new Material.InFile(folder.resolve("keys/client.key"))));
        assertThat(settings.token()).isEqualTo(Optional.empty());
        assertThat(settings.trust()).isEqualTo(new Trust.Anything());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            by-program | users[2].user.exec: is not supported
            astray     | clusters: has no entry 'nowhere'
            other      | contexts: has no entry 'other'
            ''         | contexts: has no entry ''
            """)
    void what_cannot_be_used_is_refused_by_its_place(String context, String problem) {
        assertThatThrownBy(() -> kubeconfig(context))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining(problem)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        assertThatThrownBy(() -> read(Map.of("KUBECONFIG", folder + "/none")))
                .hasMessageContaining(folder + "/none: cannot be read: NoSuchFileException");
    }

    private void account() throws IOException {
        Files.writeString(folder.resolve("token"), "t");
        Files.writeString(folder.resolve("ca.crt"), "c");
        Files.writeString(folder.resolve("namespace"), "storage\n");
    }

    private KubernetesSettings kubeconfig(String context) throws IOException {
        Path file = Files.writeString(
                folder.resolve("kubeconfig"), FILE.replace("CONTEXT", context.isEmpty() ? "''" : context));
        return read(Map.of("KUBECONFIG", file.toString()));
    }

    private KubernetesSettings read(Map<String, String> environment) {
        return ClusterAccess.read(name -> environment.getOrDefault(name, ""), folder);
    }
}
