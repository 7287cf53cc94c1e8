package dev.fairlead.adapter.freenas.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.trust.Trust;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A box behind a real nginx, as each has one; its time limit is two seconds here, and not sixty. */
@Isolated("silences of about two seconds")
class BehindNginxTest {
    private static final Path SCRIPT =
            Path.of("..", "lab", "truenas.d", "nginx").toAbsolutePath().normalize();

    private final TestWork work = TestWork.patient().left(Duration.ofSeconds(20));

    @TempDir
    private Path folder = Path.of("/nowhere");

    @BeforeEach
    void need() {
        boolean found =
                Stream.of("/usr/sbin/nginx", "/usr/bin/nginx").anyMatch(path -> Files.isExecutable(Path.of(path)));
        if (!found) {
            System.err.println("LEFT OUT: nginx is not installed; lab/truenas up --nginx installs it");
        }
        assumeTrue(found, "left out: nginx is not installed");
    }

    @AfterEach
    void end() throws Exception {
        var _ = nginx("down");
    }

    private String nginx(String command, String... words) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(
                Stream.concat(Stream.of("bash", SCRIPT.toString(), command, folder.toString()), Stream.of(words))
                        .toList());
        builder.environment().put("FAIRLEAD_NGINX_SECONDS", "2");
        builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.out").toFile());
        int code = builder.start().waitFor();
        String said = Files.readString(folder.resolve("nginx.out"));
        assertThat(code).as(said).isZero();
        return said.strip();
    }

    private TruenasApi behind(ConnectedBox box, String... words) throws IOException, InterruptedException {
        Profile profile = box.simulator().profile();
        var _ = nginx(
                "up",
                Stream.concat(
                                Stream.of(
                                        profile.title(),
                                        Integer.toString(box.simulator().port())),
                                Stream.of(words))
                        .toArray(String[]::new));
        return box.open(
                "behind", new TruenasSettings(URI.create(nginx("url") + "/"), box.asRoot(), new Trust.Anything()));
    }

    private void make(TruenasApi api, String name) {
        ConnectedBox.make(api, name, work);
    }

    private List<?> named(TruenasApi api, String name) {
        return api.list(ApiCollection.DATASET, ApiQuery.of("id", name), work);
    }

    private static Class<?> failure(Throwable thrown) {
        return ((StorageException) thrown).failure().getClass();
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void every_release_is_used_through_tls_and_no_key_is_revoked(Profile profile) throws Exception {
        try (ConnectedBox box = ConnectedBox.start(profile, folder);
                TruenasApi api = behind(box)) {
            make(api, "tank/k8s/a");

            assertThat(named(api, "tank/k8s/a")).hasSize(1);
            assertThat(box.simulator().calls())
                    .extracting(CallLog.Entry::outcome)
                    .containsOnly("ok");
        }
    }

    @Test
    void a_box_that_is_away_behind_its_nginx_is_unavailable_until_it_is_back() throws Exception {
        try (ConnectedBox box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = behind(box)) {
            make(api, "tank/k8s/a");
            box.simulator().stop();

            TestWork hurried = TestWork.patient().left(Duration.ofSeconds(1));
            assertThatThrownBy(() -> api.list(ApiCollection.DATASET, ApiQuery.all(), hurried))
                    .satisfies(thrown -> assertThat(failure(thrown)).isEqualTo(Failure.BackendUnavailable.class));
            box.simulator().restart();
            assertThat(named(api, "tank/k8s/a")).hasSize(1);
        }
    }

    /**
     * By REST nginx answers 504 with a page; on a socket it cuts the silent connection. The box goes on with the call.
     */
    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10"})
    void a_change_that_takes_longer_than_nginx_waits_is_of_unknown_outcome_and_comes(Profile profile) throws Exception {
        try (ConnectedBox box = ConnectedBox.start(profile, folder);
                TruenasApi api = behind(box)) {
            var _ = api.release(work);
            box.simulator().fault(Fault.at("pool.dataset.create", new Fault.Hesitant(Duration.ofSeconds(3))));

            assertThatThrownBy(() -> make(api, "tank/k8s/a"))
                    .satisfies(thrown -> assertThat(failure(thrown)).isEqualTo(Failure.OutcomeUnknown.class));
            Until.holds(() -> named(api, "tank/k8s/a").size() == 1);
        }
    }

    @Test
    void a_socket_that_nginx_cut_since_it_was_idle_is_opened_anew() throws Exception {
        try (ConnectedBox box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = behind(box)) {
            var _ = api.release(work);
            Until.holds(() -> box.simulator().sockets() == 0);

            // The box sees the end a moment before this side does, and a change is not sent twice.
            assertThat(named(api, "tank/k8s/a")).isEmpty();
            assertThat(box.simulator().sockets()).isEqualTo(1);
            make(api, "tank/k8s/a");
            assertThat(named(api, "tank/k8s/a")).hasSize(1);
        }
    }

    @Test
    void a_redirection_to_tls_is_told_and_no_credential_is_sent() throws Exception {
        try (ConnectedBox box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi _ = behind(box, "--redirect")) {
            String plain = Files.readString(folder.resolve("nginx/plain-port")).strip();
            TruenasApi api = box.open(
                    "plain",
                    new TruenasSettings(
                            URI.create("http://127.0.0.1:" + plain + "/"), box.asRoot(), new Trust.SystemRoots()));

            assertThatThrownBy(() -> api.release(work))
                    .hasMessageContaining("FL-CON-003")
                    .hasMessageContaining("set httpConnection.protocol to https");
            assertThat(box.simulator().calls()).isEmpty();
        }
    }
}
