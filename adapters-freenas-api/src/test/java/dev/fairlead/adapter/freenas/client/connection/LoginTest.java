package dev.fairlead.adapter.freenas.client.connection;

import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.byKey;
import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.byKeyAlone;
import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.byPassword;
import static dev.fairlead.adapter.freenas.client.connection.ConnectedBox.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class LoginTest {
    private static final String WRONG = "1-" + "w".repeat(64);

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_password_lets_in(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api =
                        box.open("here", byPassword("root", box.simulator().rootPassword()))) {
            assertThat(api.release(work).system().text()).startsWith("TrueNAS-");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"CORE_13_0"},
            mode = EnumSource.Mode.EXCLUDE)
    void a_key_lets_its_user_in(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here", byKey("root", box.simulator().rootKey()))) {
            assertThat(api.release(work).system().text()).startsWith("TrueNAS-");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V26_BETA", "V26", "V27"})
    void a_key_stays_here_if_the_box_takes_a_proof(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here", byKey("root", box.simulator().rootKey()))) {
            api.release(work);

            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals("auth.login_ex"))
                    .hasSize(2)
                    .allMatch(call -> call.params().toString().contains("SCRAM"));
        }
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void a_wrong_credential_is_told_as_such_and_not_shown(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder)) {
            for (TruenasLogin login :
                    Arrays.asList(byKey("root", WRONG), byKeyAlone(WRONG), byPassword("root", "n0t-the-pass"))) {
                try (TruenasApi api = box.open("here", login)) {
                    assertThatThrownBy(() -> api.release(work))
                            .isInstanceOfSatisfying(StorageException.class, thrown -> {
                                assertThat(thrown.failure()).isInstanceOf(Failure.CredentialWrong.class);
                                assertThat(all(thrown)).doesNotContain("wwww").doesNotContain("n0t-the-pass");
                            });
                }
                assertThat(box.settings(login).toString())
                        .doesNotContain("wwww")
                        .doesNotContain("n0t-the-pass");
            }
        }
    }

    private static String all(Throwable thrown) {
        var text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(cause).append(Arrays.toString(cause.getSuppressed()));
        }
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_04", "V25_10"})
    void a_key_that_was_revoked_is_told_as_such(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder)) {
            box.simulator().user("csi", "pass-w0rd", Set.of("FULL_ADMIN"));
            String key = box.simulator().key("csi");
            box.simulator().revokeKey(key);

            try (TruenasApi api = box.open("here", byKey("csi", key))) {
                assertThatThrownBy(() -> api.release(work))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.CredentialRevoked.class));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_04", "V25_10", "V26"})
    void a_role_that_is_missing_is_named(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder)) {
            box.simulator().user("csi", "pass-w0rd", Set.of("DATASET_READ"));

            try (TruenasApi api = box.open("here", byPassword("csi", "pass-w0rd"))) {
                api.list(ApiCollection.DATASET, ApiQuery.of("id", "tank/k8s"), work);
                assertThatThrownBy(() ->
                                api.change(ApiCall.delete(ApiCollection.DATASET, "tank/k8s/a"), "tank/k8s/a", work))
                        .hasMessageContaining("FL-CON-010")
                        .hasMessageContaining("dataset-delete")
                        .hasMessageContaining("DATASET_DELETE");
            }
        }
    }

    @Test
    void a_key_is_never_sent_without_tls_to_a_box_that_would_revoke_it() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder)) {
            String key = box.simulator().rootKey();

            try (TruenasApi api = box.open("here", box.plain(byKey("root", key)))) {
                assertThatThrownBy(() -> api.release(work))
                        .hasMessageContaining("set httpConnection.protocol to https");
            }
            try (TruenasApi api = box.open("here", byKey("root", key))) {
                assertThat(api.release(work).isAtLeast(25, 10)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10"})
    void nothing_is_sent_after_a_redirect(Profile profile) {
        try (var box =
                ConnectedBox.start(profile, folder, SimulatorSettings.standard().redirecting())) {
            box.simulator().clearCalls();

            try (TruenasApi api = box.open("here", box.plain(byPassword("root", "pass-w0rd")))) {
                assertThatThrownBy(() -> api.release(work)).hasMessageContaining("protocol to https");
            }
            assertThat(box.simulator().calls()).isEmpty();
        }
    }

    @Test
    void a_box_is_believed_by_its_own_root_or_not_at_all() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder)) {
            try (TruenasApi api = box.open("here", box.trusting(box.ownRoot()))) {
                assertThat(api.release(work).isAtLeast(25, 10)).isTrue();
            }
            try (TruenasApi api = box.open("here", box.trusting(new Trust.SystemRoots()))) {
                assertThatThrownBy(() -> api.release(work)).hasMessageContaining("no trusted connection");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"V25_04", "V25_10", "V26", "V27"})
    void a_user_beside_the_key_who_is_not_its_own_is_told(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api =
                        box.open("here", byKey("of-long-ago", box.simulator().rootKey()))) {
            assertThatThrownBy(() -> api.release(work))
                    .hasMessageContaining("FL-CON-008")
                    .hasMessageContaining("httpConnection.username")
                    .hasMessageContaining("25.04");
        }
    }

    @Test
    void a_key_without_its_user_says_how_to_learn_more() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here", byKeyAlone(WRONG))) {
            assertThatThrownBy(() -> api.release(work)).hasMessageContaining("httpConnection.username");
        }
    }

    @Test
    void a_login_that_repeats_the_credential_is_not_shown() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here", byKeyAlone(WRONG))) {
            box.simulator().fault(Fault.at("auth.login_with_api_key", new Fault.Refusal(22, "bad key " + WRONG)));

            assertThatThrownBy(() -> api.release(work))
                    .hasMessageContaining("bad key ***")
                    .hasMessageNotContaining("www");
        }
    }

    @Test
    void half_a_credential_is_not_shown_either() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api = box.open("here", byKeyAlone(WRONG))) {
            box.simulator().fault(Fault.at("auth.login_with_api_key", new Fault.Refusal(22, "-".repeat(560) + WRONG)));

            assertThatThrownBy(() -> api.release(work))
                    .hasMessageContaining("---")
                    .hasMessageNotContaining("www");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Profile.class,
            names = {"SCALE_24_10", "V25_10"})
    void a_secret_that_a_call_has_is_not_shown(Profile profile) {
        try (var box = ConnectedBox.start(profile, folder);
                TruenasApi api = box.open("here")) {
            String secret = "chap\"s3cret";
            for (String text : Arrays.asList("bad " + secret, "-".repeat(590) + secret)) {
                box.simulator().fault(Fault.at("iscsi.auth.create", new Fault.Refusal(22, text)));

                ApiResult refused = api.change(
                        ApiCall.create(ApiCollection.ISCSI_AUTH, object("tag", 1, "user", "u", "secret", secret)),
                        "auth",
                        work);

                assertThat(refused).isInstanceOf(ApiResult.Refused.class);
                assertThat(refused.toString()).doesNotContain("chap").doesNotContain("s3c");
            }
        }
    }

    @Test
    void roots_that_were_replaced_hold_from_the_next_opening_on() throws Exception {
        Path roots = folder.resolve("ca.pem");
        Files.writeString(roots, new HeldCertificate.Builder().build().certificatePem());
        try (var box = ConnectedBox.start(Profile.V25_10, folder.resolve("box"));
                TruenasApi api = box.open("here", box.trusting(new Trust.Roots(new Material.InFile(roots))))) {
            assertThatThrownBy(() -> api.release(work)).hasMessageContaining("no trusted connection");

            Files.writeString(roots, box.simulator().certificate());

            assertThat(api.release(work).isAtLeast(25, 10)).isTrue();
        }
    }

    @Test
    void a_box_that_limits_logins_is_left_alone() {
        try (var box = ConnectedBox.start(Profile.V25_10, folder);
                TruenasApi api =
                        box.open("here", byPassword("root", box.simulator().rootPassword()))) {
            box.simulator()
                    .fault(Fault.at("auth.login_ex", new Fault.Refusal(16, "Rate Limit Exceeded"))
                            .always());
            assertThatThrownBy(() -> api.release(work)).hasMessageContaining("FL-CON-003");
            box.simulator().clearFaults();
            box.simulator().clearCalls();

            assertThatThrownBy(() -> api.release(work)).hasMessageContaining("Rate Limit Exceeded");
            assertThat(box.simulator().calls()).isEmpty();
        }
    }

    @Test
    void a_login_shows_no_secret() {
        var login = new TruenasLogin(Optional.of("csi"), Optional.of(new Secret(WRONG)), Optional.empty());

        assertThat(login.toString()).contains("csi").doesNotContain("wwww");
        assertThat(ApiCall.create(ApiCollection.ISCSI_AUTH, object("secret", "chap-s3cret"))
                        .toString())
                .doesNotContain("s3cret");
    }
}
