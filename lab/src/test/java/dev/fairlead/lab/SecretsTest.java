package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.gson.Gson;
import csi.v1.CreateVolumeRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Until;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A planted secret is looked for wherever the driver speaks. */
class SecretsTest {
    private static final String SECRET = "xK9-planted-secret-Qz7";
    private static final String CHAP = "xK9chapQz7sec";
    private static final String PEERS = "xK9peerQz7sec";

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"error", "warn", "info", "verbose", "debug", "silly"})
    void a_planted_secret_is_never_said(String level) throws Exception {
        DriverFixture fixture = DriverFixture.proxy(folder);
        fixture.connect("good", Files.createDirectories(folder.resolve("base")));
        fixture.write("zfs", """
                driver: zfs-generic-nfs
                sshConnection:
                  host: 192.0.2.1
                  password: %s
                  pasword: %s
                  privateKey: |
                    %s
                """.formatted(SECRET, SECRET, SECRET));
        fixture.write("broken", "driver: local-hostpath\nsshConnection: {password: " + SECRET + ", : }: [\n");
        fixture.write(
                "wrong",
                "driver: local-hostpath\nlocal-hostpath:\n  shareBasePath: relative/path\n"
                        + "httpConnection:\n  apiKey: " + SECRET + "\n  allowInsecure: [" + SECRET + "]\n");
        StringBuilder heard = new StringBuilder();

        try (DriverProcess driver = fixture.start("--log-level=" + level);
                CsiClient client = new CsiClient(fixture.socket())) {
            for (String connection : new String[] {"good", "zfs", "broken", "wrong", "absent"}) {
                CreateVolumeRequest request = CsiClient.request(
                                "secret-" + connection, Map.of("connection", connection))
                        .putSecrets("password", SECRET)
                        .build();
                StatusRuntimeException failure =
                        catchThrowableOfType(StatusRuntimeException.class, () -> client.create(request));
                heard.append(failure == null ? "" : failure.getMessage());
            }
            heard.append(Files.readString(Path.of("/proc/" + driver.pid() + "/cmdline")));
        }
        heard.append(Files.readString(folder.resolve("driver.log")));

        // A path is no secret, however it looks; every other place is.
        assertThat(heard.toString()).doesNotContain(SECRET);
        assertThat(heard).contains("zfs").contains("broken");
    }

    /** Volumes of a box are made, also after its answer has repeated the key, and logins are refused. */
    @ParameterizedTest
    @ValueSource(strings = {"info", "debug", "silly"})
    void the_credentials_of_a_truenas_are_never_said(String level) throws Exception {
        try (Simulator box = Simulator.start(Profile.V25_10, folder.resolve("box"))) {
            box.user("csi", SECRET, Set.of("FULL_ADMIN"));
            var chap = Map.of("tag", 7, "user", "chap", "secret", CHAP, "peeruser", "peer", "peersecret", PEERS);
            var _ = box.call(
                    "iscsi.auth.create", new Gson().toJsonTree(List.of(chap)).getAsJsonArray());
            String key = box.rootKey();
            DriverFixture fixture = DriverFixture.proxy(folder);
            fixture.write("key", truenas(box, "apiKey: " + key));
            fixture.write("password", truenas(box, "username: csi, password: " + SECRET));
            fixture.write("wrong", truenas(box, "username: csi, apiKey: 1-" + SECRET));
            fixture.write("plain", truenas(box, "apiKey: " + key).replace("protocol: https", "protocol: http"));
            fixture.write(
                    "chap", truenas(box, "apiKey: " + key) + "  chapSecret: " + CHAP + "\n  peers: " + PEERS + "\n");
            box.fault(Fault.at("auth.login_with_api_key", new Fault.Refusal(22, "no key " + key)));
            box.fault(Fault.at("pool.dataset.create", new Fault.Refusal(22, "no dataset for " + key))
                    .having("pvc-key"));
            StringBuilder heard = new StringBuilder();

            try (DriverProcess driver = fixture.start("--log-level=" + level);
                    CsiClient client = new CsiClient(fixture.socket())) {
                for (String end :
                        List.of("key: OK", "password: OK", "chap: OK", "wrong: FL-CON-008", "plain: FL-CON-002")) {
                    String connection = end.substring(0, end.indexOf(':'));
                    Until.holds(() -> {
                        String told = told(client, connection);
                        heard.append(told);
                        return told.contains(end.substring(connection.length() + 2) + " ");
                    });
                }
                heard.append(Files.readString(Path.of("/proc/" + driver.pid() + "/cmdline")));
            }
            heard.append(Files.readString(folder.resolve("driver.log")));

            assertThat(heard.toString())
                    .contains("no key ***", "no dataset for ***")
                    .doesNotContain(SECRET, CHAP, PEERS, key.substring(key.indexOf('-') + 1));
        }
    }

    /** Makes a volume and deletes it; returns what was said of it. */
    private static String told(CsiClient client, String connection) {
        var request = CsiClient.request("pvc-" + connection, Map.of("connection", connection))
                .clearVolumeCapabilities()
                .addVolumeCapabilities(VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                        .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                                .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER)))
                .putSecrets("node-db.node.session.auth.password", CHAP)
                .putSecrets("node-db.node.session.auth.password_in", PEERS);
        try {
            Volume volume = client.create(request.build());
            client.delete(volume.getVolumeId());
            return "OK " + volume;
        } catch (StatusRuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String truenas(Simulator box, String login) {
        return """
                driver: freenas-api-iscsi
                httpConnection: {host: 127.0.0.1, port: %d, protocol: https, allowInsecure: true, %s}
                zfs: {datasetParentName: tank/k8s/v}
                iscsi:
                  targetPortal: "192.0.2.1:3260"
                  targetGroups:
                    - {targetGroupPortalGroup: 1, targetGroupAuthType: CHAP, targetGroupAuthGroup: 7}
                """.formatted(box.port(), login);
    }
}
