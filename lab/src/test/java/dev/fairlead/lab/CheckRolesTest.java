package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.bootstrap.cli.Terminal;
import dev.fairlead.bootstrap.cli.Verbs;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the check of roles says, and its exit codes. */
class CheckRolesTest {
    private static final Set<String> ENOUGH = Set.of(
            "POOL_READ", "DATASET_WRITE", "DATASET_DELETE", "SNAPSHOT_WRITE", "SNAPSHOT_DELETE", "SHARING_NFS_WRITE");

    @TempDir
    private Path folder = Path.of("/nowhere");

    @TempDir
    private Path state = Path.of("/nowhere");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void roles_that_are_missing_are_named_with_what_they_are_for_and_how_they_are_given() throws IOException {
        try (Simulator box = Simulator.start(Profile.V25_10, state)) {
            box.user("csi", "pass-w0rd", Set.of("READONLY_ADMIN", "DATASET_WRITE"));
            connection(box);

            int code = check(true);

            assertThat(code).isEqualTo(1);
            assertThat(text())
                    .contains("as user csi")
                    .containsPattern("missing +SHARING_NFS_WRITE +NFS shares")
                    .containsPattern("missing +SNAPSHOT_DELETE")
                    .containsPattern("has +DATASET_WRITE")
                    .contains("Credentials > Groups > Privileges")
                    .contains("midclt call privilege.create")
                    .contains(
                            "\"DATASET_DELETE\", \"DATASET_WRITE\", \"POOL_READ\", \"SERVICE_READ\", \"SHARING_NFS_WRITE\"")
                    .doesNotContain("\u001b");
        }
    }

    @Test
    void a_credential_that_has_all_roles_passes() throws IOException {
        try (Simulator box = Simulator.start(Profile.V26, state)) {
            box.user("csi", "pass-w0rd", ENOUGH);
            connection(box);

            int code = check(false);

            assertThat(text())
                    .contains("\"role\":\"SHARING_NFS_WRITE\"")
                    .doesNotContain("\"granted\":false,\"optional\":false");
            assertThat(code).isZero();
        }
    }

    @Test
    void a_storage_that_cannot_be_asked_is_told_and_costs_no_other() throws IOException {
        try (Simulator box = Simulator.start(Profile.V25_10, state)) {
            write("bad.yaml", file(box.port(), "1-" + "a".repeat(64)));
            write("plain.yaml", """
                    driver: local-hostpath
                    local-hostpath: {shareBasePath: /s, controllerBasePath: /s}
                    """);

            int code = check(true);

            assertThat(text())
                    .containsPattern("not asked +FL-CON-008")
                    .contains("plain  its storage does not limit credentials to single roles");
            assertThat(code).isEqualTo(3);
        }
    }

    private void connection(Simulator box) throws IOException {
        write("nas.yaml", file(box.port(), box.key("csi")));
    }

    private static String file(int port, String key) {
        return """
                driver: freenas-api-nfs
                httpConnection: {host: 127.0.0.1, port: %d, protocol: https, username: csi, apiKey: %s, allowInsecure: true}
                zfs: {datasetParentName: tank/k8s/v, detachedSnapshotsDatasetParentName: tank/k8s/s}
                nfs: {shareHost: nas.example.org}
                """.formatted(port, key);
    }

    private int check(boolean interactive) {
        List<String> arguments = List.of("check", folder.toString(), "--roles");
        var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Verbs.run(arguments, Map.of(), new Terminal(stream, stream, interactive, false));
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
