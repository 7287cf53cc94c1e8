package dev.fairlead.lab;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.host.CommandRunnerContract;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Programs over SSH, against the sshd of a real storage host. */
@OnStorage
class SshOnStorageTest {
    private static final SshModule.Sessions SESSIONS =
            SshModule.sessions(Thread.ofPlatform().daemon().factory());
    private static final Elevation SUDO = Elevation.by("/usr/bin/sudo");

    private static CommandRunner runner(Map<String, Object> settings) {
        Problems problems = new Problems("nas.yaml");
        ConfigNode file = ConfigNode.root(ConfigTrees.of(Map.of("sshConnection", settings)), problems);
        CommandRunner runner = SshModule.ssh(() -> SESSIONS)
                .open(new ConnectionScope(new ConnectionName("nas"), "zfs-generic-nfs", Optional.empty(), "lab"), file);
        assertThat(problems.errors()).isEmpty();
        return runner;
    }

    private static Map<String, Object> as(StorageHost host, String user) throws IOException {
        Map<String, Object> settings = new HashMap<>();
        settings.put("host", "127.0.0.1");
        settings.put("port", host.port("ssh"));
        settings.put("username", user);
        settings.put("knownHosts", host.knownHosts());
        settings.put("keepaliveInterval", 2000);
        settings.put("keepaliveCountMax", 3);
        return settings;
    }

    private static Map<String, Object> with(Map<String, Object> settings, String key, Object value) {
        settings.put(key, value);
        return settings;
    }

    private static Ended run(CommandRunner runner, Command command) {
        return runner.run(command, TestWork.patient());
    }

    private static String whoami(Map<String, Object> settings) {
        try (CommandRunner runner = runner(settings)) {
            return run(runner, command("/usr/bin/whoami")).output().strip();
        }
    }

    /** All that is promised of a runner. */
    @Nested
    class Promises implements CommandRunnerContract {
        private CommandRunner runner =
                SshOnStorageTest.runner(Map.of("host", "none", "username", "none", "password", "none"));

        @BeforeEach
        void open(StorageHost host) throws IOException {
            runner = SshOnStorageTest.runner(with(as(host, "root"), "privateKey", host.key("plain")));
        }

        @AfterEach
        void close() {
            runner.close();
        }

        @Override
        public CommandRunner runner() {
            return runner;
        }
    }

    @Test
    void every_kind_of_credential_lets_in(StorageHost host) throws IOException {
        assertThat(whoami(with(as(host, "root"), "privateKey", host.key("plain"))))
                .isEqualTo("root");
        assertThat(whoami(with(as(host, "root"), "privateKey", host.key("pem"))))
                .isEqualTo("root");
        assertThat(whoami(with(
                        with(as(host, "keeper"), "privateKey", host.key("locked")), "passphrase", host.passphrase())))
                .isEqualTo("keeper");
        assertThat(whoami(with(as(host, "guest"), "password", host.password("guest"))))
                .isEqualTo("guest");
    }

    @Test
    void a_wrong_password_and_a_wrong_host_key_are_refused(StorageHost host) throws IOException {
        Map<String, Object> wrong = with(as(host, "guest"), "password", host.password("root"));
        assertThatThrownBy(() -> whoami(wrong)).hasMessageContaining("neither by key nor by password");

        Map<String, Object> stranger = with(as(host, "root"), "privateKey", host.key("plain"));
        stranger.remove("knownHosts");
        stranger.put("hostKey", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl");
        assertThatThrownBy(() -> whoami(stranger)).hasMessageContaining("shows another key");
    }

    @Test
    void each_kind_of_host_key_can_be_the_one_that_is_pinned(StorageHost host) throws IOException {
        for (String line : host.knownHosts().lines().toList()) {
            Map<String, Object> settings = with(as(host, "root"), "privateKey", host.key("plain"));
            settings.remove("knownHosts");
            settings.put("hostKey", line.substring(line.indexOf(' ') + 1));

            assertThat(whoami(settings)).as(line).isEqualTo("root");
        }
    }

    @Test
    void who_may_runs_programs_as_root_by_sudo_and_who_may_not_is_told_so(StorageHost host) throws IOException {
        Command list = Command.of(
                new Effect("zfs-list", host.parent()),
                SUDO.of(List.of("/usr/sbin/zfs", "list", "-H", "-o", "name", host.parent())));
        try (CommandRunner keeper = runner(with(as(host, "keeper"), "privateKey", host.key("plain")));
                CommandRunner guest = runner(with(as(host, "guest"), "privateKey", host.key("plain")))) {
            assertThat(run(keeper, list)).isEqualTo(Ended.with(0, host.parent() + "\n", ""));

            Ended refused = run(guest, list);

            assertThat(refused.succeeded()).isFalse();
            assertThat(SUDO.refusal(refused))
                    .hasValueSatisfying(text -> assertThat(text).contains("NOPASSWD"));
        }
    }

    @Test
    void a_hundred_callers_share_the_ten_channels_of_one_session(StorageHost host) throws IOException {
        try (CommandRunner runner = runner(with(as(host, "root"), "privateKey", host.key("plain")))) {
            List<Runnable> callers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                callers.add(() -> assertThat(run(runner, command("/bin/true")).succeeded())
                        .isTrue());
            }

            Concurrently.run(callers);
        }
    }

    @Test
    void a_host_that_swallows_packets_is_noticed_and_found_again(StorageHost host) throws IOException {
        try (CommandRunner runner = runner(with(as(host, "root"), "privateKey", host.key("plain")))) {
            run(runner, command("/bin/true"));
            host.freeze(true);

            Failing.with(Failure.BackendUnavailable.class, () -> run(runner, command("/bin/true")));

            host.freeze(false);
            assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();
        }
    }

    @Test
    void an_sshd_that_dies_under_a_program_leaves_its_end_unknown(StorageHost host) throws IOException {
        try (CommandRunner runner = runner(with(as(host, "root"), "privateKey", host.key("plain")))) {
            Failing.with(
                    Failure.OutcomeUnknown.class, () -> run(runner, shell("kill -KILL $PPID; sleep 5; echo done")));

            assertThat(run(runner, shell("echo again")).output()).isEqualTo("again\n");
        }
    }

    /** What a send is to a receive, at a size that does not fit into any buffer between them. */
    @Test
    void a_snapshot_is_sent_from_one_dataset_to_another_through_this_process(StorageHost host) throws Exception {
        host.shell("zfs create " + host.parent() + "/a && head -c 20000000 /dev/urandom >/" + host.parent()
                + "/a/data && zfs snapshot " + host.parent() + "/a@s");
        try (CommandRunner runner = runner(with(as(host, "root"), "privateKey", host.key("plain")));
                PipedInputStream between = new PipedInputStream(1 << 16);
                PipedOutputStream sink = new PipedOutputStream(between)) {
            Thread sending = Thread.ofPlatform().start(() -> {
                try (sink) {
                    run(
                            runner,
                            command("/usr/sbin/zfs", "send", host.parent() + "/a@s")
                                    .writing(new Command.Output.Bytes(sink)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            Ended received = run(
                    runner,
                    command("/usr/sbin/zfs", "receive", host.parent() + "/b")
                            .reading(new Command.Input.Bytes(between)));

            sending.join();
            assertThat(received).isEqualTo(Ended.with(0, "", ""));
        }
        String sums = host.shell("cksum </" + host.parent() + "/a/data; cksum </" + host.parent() + "/b/data");
        assertThat(sums.lines().distinct()).hasSize(1);
    }
}
