package dev.fairlead.adapter.ssh;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.ssh.SshSettings.Credentials;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.apache.sshd.server.auth.keyboard.DefaultKeyboardInteractiveAuthenticator;
import org.apache.sshd.server.auth.keyboard.UserAuthKeyboardInteractiveFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is let in, with keys that ssh-keygen has made. */
class CredentialsTest {
    @TempDir
    Path folder;

    private ShellServer server;

    @BeforeEach
    void start() {
        server = new ShellServer(folder, "ed25519");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void enter(Credentials credentials) {
        try (CommandRunner runner =
                SshFixture.runner(SshFixture.with(SshFixture.settings(server.port()), credentials))) {
            assertThat(runner.run(command("/bin/true"), TestWork.patient()).succeeded())
                    .isTrue();
        }
    }

    private Secret key(String kind, String format, String passphrase) throws Exception {
        Path file = folder.resolve("key");
        Process keygen = new ProcessBuilder(
                        "ssh-keygen", "-q", "-t", kind, "-m", format, "-N", passphrase, "-f", file.toString())
                .inheritIO()
                .start();
        assertThat(keygen.waitFor(30, TimeUnit.SECONDS) && keygen.exitValue() == 0)
                .isTrue();
        server.trust(AuthorizedKeyEntry.parseAuthorizedKeyEntry(Files.readString(folder.resolve("key.pub")))
                .resolvePublicKey(null, java.util.Map.of(), PublicKeyEntryResolver.FAILING));
        return new Secret(Files.readString(file));
    }

    private static Credentials of(Secret key, String passphrase) {
        return new Credentials(
                Optional.empty(),
                Optional.of(key),
                passphrase.isEmpty() ? Optional.empty() : Optional.of(new Secret(passphrase)),
                true);
    }

    @ParameterizedTest
    @CsvSource({
        "ed25519, RFC4716, ''",
        "ed25519, RFC4716, correct horse",
        "rsa, RFC4716, ''",
        "rsa, PEM, ''",
        "rsa, PEM, correct horse",
        "rsa, PKCS8, ''",
        "ecdsa, RFC4716, correct horse",
        "ecdsa, PKCS8, ''"
    })
    void a_key_lets_in(String kind, String format, String passphrase) throws Exception {
        enter(of(key(kind, format, passphrase), passphrase));
    }

    /** The kind of key that a host is known by says nothing of the kind that a user comes with. */
    @Test
    void a_key_lets_in_where_the_host_is_known_by_another_kind() throws Exception {
        server.close();
        server = new ShellServer(folder, "ecdsa-sha2-nistp256");
        SshSettings settings = SshFixture.with(
                SshFixture.with(SshFixture.settings(server.port()), of(key("ed25519", "RFC4716", ""), "")),
                new SshSettings.HostKeyTrust(List.of(server.hostKey(0)), Optional.empty(), true));

        try (CommandRunner runner = SshFixture.runner(settings)) {
            assertThat(runner.run(command("/bin/true"), TestWork.patient()).succeeded())
                    .isTrue();
        }
    }

    @Test
    void a_password_lets_in() {
        enter(SshFixture.password(ShellServer.PASSWORD));
    }

    @Test
    void a_password_lets_in_where_the_server_asks_for_it_interactively() {
        server.server().setUserAuthFactories(List.of(UserAuthKeyboardInteractiveFactory.INSTANCE));
        server.server().setKeyboardInteractiveAuthenticator(DefaultKeyboardInteractiveAuthenticator.INSTANCE);

        enter(SshFixture.password(ShellServer.PASSWORD));
    }

    @Test
    void a_server_that_asks_interactively_is_told_nothing_where_the_file_forbids_it() {
        Credentials silent = new Credentials(
                Optional.of(new Secret(ShellServer.PASSWORD)), Optional.empty(), Optional.empty(), false);
        enter(silent);

        server.server().setUserAuthFactories(List.of(UserAuthKeyboardInteractiveFactory.INSTANCE));
        server.server().setKeyboardInteractiveAuthenticator(DefaultKeyboardInteractiveAuthenticator.INSTANCE);

        assertThatThrownBy(() -> enter(silent)).hasMessageContaining("neither by key nor by password");
    }

    @Test
    void a_key_that_is_not_known_leaves_the_password() throws Exception {
        Secret key = key("ed25519", "RFC4716", "");
        server.forget();

        enter(new Credentials(Optional.of(new Secret(ShellServer.PASSWORD)), Optional.of(key), Optional.empty(), true));
    }

    @Test
    void a_wrong_passphrase_is_said_without_it() throws Exception {
        Secret key = key("ed25519", "RFC4716", "correct horse");

        assertThatThrownBy(() -> enter(of(key, "wr0ng")))
                .hasMessageContaining("is sshConnection.passphrase the right one?")
                .message()
                .doesNotContain("wr0ng");
        assertThatThrownBy(() -> enter(of(key, ""))).hasMessageContaining("add sshConnection.passphrase");
    }

    @Test
    void what_is_no_key_is_said() throws IOException {
        assertThatThrownBy(() -> enter(of(new Secret("-----BEGIN NOTHING-----\nx\n-----END NOTHING-----"), "")))
                .hasMessageContaining("sshConnection.privateKey");
    }
}
