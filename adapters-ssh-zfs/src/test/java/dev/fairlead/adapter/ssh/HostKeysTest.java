package dev.fairlead.adapter.ssh;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.ssh.SshSettings.HostKeyTrust;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which hosts are believed. The server has keys of three kinds, as real ones do. */
class HostKeysTest {
    @TempDir
    Path folder;

    private ShellServer server;

    @BeforeEach
    void start() {
        server = new ShellServer(folder, "ecdsa-sha2-nistp256", "ssh-rsa", "ed25519");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void enter(HostKeyTrust trust) {
        try (CommandRunner runner = SshFixture.runner(SshFixture.with(SshFixture.settings(server.port()), trust))) {
            assertThat(runner.run(command("/bin/true"), TestWork.patient()).succeeded())
                    .isTrue();
        }
    }

    private static HostKeyTrust pinned(String... keys) {
        return new HostKeyTrust(List.of(keys), Optional.empty(), false);
    }

    private static HostKeyTrust hosts(String text) {
        return new HostKeyTrust(List.of(), Optional.of(text), false);
    }

    private static String stranger(String kind) {
        return PublicKeyEntry.toString(ShellServer.pair(kind).getPublic());
    }

    @Test
    void without_any_key_the_host_is_believed() {
        enter(pinned());
    }

    /** The server would rather show another kind first; it is asked for the one that is known. */
    @Test
    void each_kind_of_key_can_be_the_one_that_is_known() {
        for (int kind = 0; kind < 3; kind++) {
            enter(pinned(server.hostKey(kind)));
        }
    }

    @Test
    void another_key_is_refused_and_the_message_has_the_line_to_put_there() {
        assertThatThrownBy(() -> enter(pinned(stranger("ed25519"))))
                .hasMessageContaining("shows another key")
                .hasMessageContaining(server.hostKey(2));
    }

    @Test
    void one_of_several_keys_is_enough() {
        enter(pinned(stranger("ed25519"), server.hostKey(2)));
    }

    @Test
    void a_known_hosts_text_is_looked_up_by_name_and_port() {
        enter(hosts("other ssh-ed25519 " + stranger("ed25519").split(" ", -1)[1] + "\n[127.0.0.1]:" + server.port()
                + " " + server.hostKey(2) + "\n"));
    }

    @Test
    void a_known_hosts_file_is_read_anew_for_each_session() throws Exception {
        Path file = folder.resolve("known_hosts");
        Files.writeString(file, "# nobody yet\n");
        assertThatThrownBy(() -> enter(hosts(file.toString()))).hasMessageContaining("not among the known hosts");

        Files.writeString(file, "[127.0.0.1]:" + server.port() + " " + server.hostKey(1) + "\n");

        enter(hosts(file.toString()));
    }

    @Test
    void a_key_that_was_revoked_is_refused() {
        String line = "[127.0.0.1]:" + server.port() + " " + server.hostKey(2);
        assertThatThrownBy(() -> enter(hosts(line + "\n@revoked " + line + "\n")))
                .hasMessageContaining("revoked");
    }

    @Test
    void a_strict_connection_refuses_a_host_of_which_nothing_is_known() {
        assertThatThrownBy(() -> enter(new HostKeyTrust(List.of(), Optional.empty(), true)))
                .hasMessageContaining("not among the known hosts");
    }

    @Test
    void a_key_that_cannot_be_read_is_said() {
        assertThatThrownBy(() -> enter(pinned("ssh-ed25519 AAAA"))).hasMessageContaining("sshConnection.hostKey");
    }
}
