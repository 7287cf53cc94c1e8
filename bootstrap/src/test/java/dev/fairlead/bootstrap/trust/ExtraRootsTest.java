package dev.fairlead.bootstrap.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.config.InvalidConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it changes properties of the process")
class ExtraRootsTest {
    private static final String PEM = """
            -----BEGIN CERTIFICATE-----
            MIIBkTCCATmgAwIBAgIUHXskWuigJvcauvFSBkWRoTxeEv0wCgYIKoZIzj0EAwIw
            HjEcMBoGA1UEAwwTYXV0aG9yaXR5IG9mIGEgdGVzdDAgFw0yNjExMjEyMDQyNDBa
            GA8yMTI2MTAyODIwNDI0MFowHjEcMBoGA1UEAwwTYXV0aG9yaXR5IG9mIGEgdGVz
            dDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABL2dOnc0W+5Q3zjhBCHXIzZlyBEo
            YT6Q0Bl5wnCLSLC4NeiVwgE3JlzrvhaEZTg5G0JnB6BoJqMui8uM6kr1KWSjUzBR
            MB0GA1UdDgQWBBTcM6pcSb0WKvjhotmRzgYOYdBy5DAfBgNVHSMEGDAWgBTcM6pc
            Sb0WKvjhotmRzgYOYdBy5DAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0YA
            MEMCIAkEqbhjkTFe6bAumXWNsPwJWuPQRwukzYql9GNohkd4Ah8CX2a9GQwlE+ZW
            K/pjSS7T2Vnk4+j/VSblRA2fOpwA
            -----END CERTIFICATE-----
            """;

    @TempDir
    private Path folder;

    @AfterEach
    void forget() {
        List.of("", "Type", "Password").forEach(end -> System.clearProperty("javax.net.ssl.trustStore" + end));
    }

    @Test
    void they_are_believed_beside_java_s_own() throws Exception {
        List<String> before = believed();

        use(PEM);

        assertThat(believed()).hasSize(before.size() + 1).containsAll(before).contains("CN=authority of a test");
        assertThat(before).hasSizeGreaterThan(50).doesNotContain("CN=authority of a test");
    }

    @Test
    void without_any_java_s_own_are_left_as_they_are() throws Exception {
        ExtraRoots.use(Map.of());
        ExtraRoots.use(Map.of(ExtraRoots.VARIABLE, ""));
        use("\n");

        assertThat(System.getProperty("javax.net.ssl.trustStore")).isNull();
    }

    @Test
    void what_is_no_certificate_is_refused_with_its_place() {
        assertThatThrownBy(() -> use("-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n"))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("roots.pem")
                .hasMessageContaining("is no PEM file of certificates");
        assertThatThrownBy(() -> ExtraRoots.use(
                        Map.of(ExtraRoots.VARIABLE, folder.resolve("missing").toString())))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("missing");
    }

    private void use(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("roots.pem"), content);
        ExtraRoots.use(Map.of(ExtraRoots.VARIABLE, file.toString()));
    }

    /** What a client believes that names nothing of its own. */
    private static List<String> believed() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return Arrays.stream(factory.getTrustManagers())
                .flatMap(manager -> Arrays.stream(((X509TrustManager) manager).getAcceptedIssuers()))
                .map(certificate -> certificate.getSubjectX500Principal().getName())
                .toList();
    }
}
