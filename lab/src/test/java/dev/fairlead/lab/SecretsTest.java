package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import csi.v1.CreateVolumeRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A planted secret is looked for wherever the driver speaks. */
class SecretsTest {
    private static final String SECRET = "xK9-planted-secret-Qz7";

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
}
