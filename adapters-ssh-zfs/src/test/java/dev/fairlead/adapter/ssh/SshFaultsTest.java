package dev.fairlead.adapter.ssh;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.ssh.ShellServer.Fault;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a real server does seldom, and a network often. */
class SshFaultsTest {
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

    private static CommandRunner.Ended run(CommandRunner runner, Command command) {
        return runner.run(command, TestWork.patient());
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DROP_AFTER", "DROP_AT_LAST", "DROP_DURING", "SILENT_CLOSE", "REFUSE"})
    void an_end_that_was_not_seen_is_unknown_and_the_next_program_runs(Fault fault) {
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            run(runner, command("/bin/true"));
            server.fault.set(fault);

            Failing.with(Failure.OutcomeUnknown.class, () -> run(runner, shell("echo done")));

            server.fault.set(Fault.NONE);
            assertThat(run(runner, shell("echo done")).output()).isEqualTo("done\n");
        }
    }

    /** What was sent may have been done, so it is never sent again by itself. */
    @Test
    void what_was_dropped_is_not_repeated() throws Exception {
        Path mark = folder.resolve("mark");
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            server.fault.set(Fault.DROP_AFTER);

            Failing.with(Failure.OutcomeUnknown.class, () -> run(runner, shell("echo x >>" + mark)));

            assertThat(Files.readString(mark)).isEqualTo("x\n");
        }
    }

    @Test
    void a_program_that_hangs_is_let_go_of_and_its_turn_is_free() {
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            server.fault.set(Fault.HANG);
            for (int i = 0; i < 12; i++) {
                Failing.with(
                        Failure.TimedOut.class,
                        () -> run(runner, command("/bin/true").within(Duration.ofMillis(50))));
            }
            server.fault.set(Fault.NONE);

            assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();
        }
    }

    /** OpenSSH gives a channel free when the program has ended, whoever has stopped waiting for it before. */
    @Test
    void what_hangs_on_a_session_does_not_take_its_channels_from_others() {
        server.allowChannels(4);
        server.keepChannels(true);
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            for (int i = 0; i < 10; i++) {
                Failing.with(
                        Failure.TimedOut.class,
                        () -> run(runner, command("/bin/sleep", "60").within(Duration.ofMillis(50))));
            }

            assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();
        }
    }

    /** The server opens it all the same, and nobody gives it back. */
    @Test
    void a_channel_whose_opening_was_not_waited_for_is_not_missed_later() throws Exception {
        server.allowChannels(1);
        try (Relay relay = new Relay(server.port());
                CommandRunner runner = SshFixture.hasty(SshFixture.settings(relay.port()))) {
            run(runner, command("/bin/true"));
            relay.hold();

            assertThatThrownBy(() -> run(runner, command("/bin/true"))).hasMessageContaining("was not started");

            relay.letGo();
            for (int i = 0; i < 5; i++) {
                assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();
            }
            assertThat(server.sessions).hasValue(2);
        }
    }

    @Test
    void a_server_that_gave_fewer_channels_for_a_while_gives_all_of_them_on_its_next_session() throws Exception {
        server.allowChannels(3);
        try (SshCommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            Concurrently.run(Collections.nCopies(16, () -> run(runner, shell("sleep 0.05"))));
            assertThat(runner.channels()).isLessThanOrEqualTo(3);
            server.allowChannels(10);
            server.dropSessions();
            Thread.sleep(100);

            run(runner, command("/bin/true"));

            assertThat(runner.channels()).isEqualTo(8);
        }
    }

    /** Each is hours long; what takes a moment is done meanwhile. */
    @Test
    @Timeout(60)
    void copies_leave_channels_for_all_else_and_are_refused_rather_than_kept_waiting() throws Exception {
        Path end = folder.resolve("end");
        Command copy = shell("while [ ! -e " + end + " ]; do sleep 0.05; done").within(Duration.ofDays(2));
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            List<Thread> copies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                copies.add(Thread.ofVirtual().start(() -> run(runner, copy)));
            }
            while (server.lines.size() < 4) {
                Thread.sleep(20);
            }

            assertThatThrownBy(() -> run(runner, copy)).hasMessageContaining("copies are under way");
            assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();

            Files.createFile(end);
            for (Thread one : copies) {
                one.join();
            }
            assertThat(run(runner, copy).succeeded()).isTrue();
        }
    }

    @Test
    void a_session_that_was_dropped_between_two_programs_is_made_anew() throws Exception {
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            run(runner, command("/bin/true"));
            server.dropSessions();
            Thread.sleep(100);

            assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();
        }
    }

    @Test
    void a_hundred_callers_take_turns_on_one_session_where_the_server_has_ten_channels() {
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            List<Runnable> callers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                callers.add(() -> assertThat(run(runner, command("/bin/true")).succeeded())
                        .isTrue());
            }

            Concurrently.run(callers);

            assertThat(server.sessions).hasValue(1);
            assertThat(server.lines).hasSize(100);
        }
    }

    @Test
    void a_server_with_fewer_channels_than_were_thought_is_used_with_as_many_as_it_has() {
        server.allowChannels(3);
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            List<Runnable> callers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                callers.add(() ->
                        assertThat(run(runner, shell("sleep 0.05")).succeeded()).isTrue());
            }

            Concurrently.run(callers);

            assertThat(server.lines).hasSize(30);
        }
    }

    @Test
    void a_server_that_opens_no_channel_is_not_available() {
        server.allowChannels(0);
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            assertThatThrownBy(() -> run(runner, command("/bin/true"))).hasMessageContaining("opens no channel");
        }
    }

    @Test
    void a_wrong_password_is_said_without_the_password() {
        try (CommandRunner runner = SshFixture.runner(
                SshFixture.with(SshFixture.settings(server.port()), SshFixture.password("wr0ng-one")))) {
            assertThatThrownBy(() -> run(runner, command("/bin/true")))
                    .hasMessageContaining("nas is not available")
                    .hasMessageContaining("neither by key nor by password")
                    .message()
                    .doesNotContain("wr0ng-one");
        }
    }

    @Test
    void a_host_that_takes_the_connection_and_says_nothing_is_given_up_in_time() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            SshSettings settings = SshFixture.with(
                    SshFixture.settings(mute.getLocalPort()),
                    new SshSettings.Timing(Duration.ofMillis(400), Duration.ZERO, 3));
            try (CommandRunner runner = SshFixture.runner(settings)) {
                long began = System.nanoTime();

                Failing.with(
                        Failure.BackendUnavailable.class,
                        () -> runner.run(
                                command("/bin/true"), TestWork.patient().left(Duration.ofMillis(1500))));

                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
            }
        }
    }

    @Test
    void a_host_that_is_not_there_is_tried_again_and_found_when_it_is() throws Exception {
        int port = server.port();
        server.close();
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(port))) {
            assertThatThrownBy(() ->
                            runner.run(command("/bin/true"), TestWork.patient().left(Duration.ofMillis(300))))
                    .hasMessageContaining("does not take connections");

            server = new ShellServer(folder, port, "ed25519");

            assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();
        }
    }

    /** The session looks alive: only the signs of life that are asked for show that nobody is there. */
    @Test
    void a_network_that_swallows_packets_is_noticed_by_the_keepalive() throws Exception {
        try (Relay relay = new Relay(server.port());
                CommandRunner runner = SshFixture.runner(impatient(relay))) {
            run(runner, command("/bin/true"));
            relay.swallow(true);

            assertThatThrownBy(() -> run(runner, command("/bin/true"))).hasMessageContaining("was not started");

            relay.swallow(false);
            assertThat(run(runner, command("/bin/true")).succeeded()).isTrue();
        }
    }

    @Test
    void what_ran_when_the_network_fell_silent_has_an_unknown_end() throws Exception {
        try (Relay relay = new Relay(server.port());
                CommandRunner runner = SshFixture.runner(impatient(relay))) {
            Path begun = folder.resolve("begun");
            Thread.ofVirtual().start(() -> {
                while (!Files.exists(begun)) {
                    Thread.onSpinWait();
                }
                relay.swallow(true);
            });

            Failing.with(Failure.OutcomeUnknown.class, () -> run(runner, shell("touch " + begun + "; sleep 2")));
        }
    }

    private static SshSettings impatient(Relay relay) {
        return SshFixture.with(
                SshFixture.settings(relay.port()),
                new SshSettings.Timing(Duration.ofSeconds(20), Duration.ofMillis(200), 2));
    }

    @Test
    void a_caller_is_told_at_once_while_the_host_is_left_alone() {
        SshSettings settings = SshFixture.with(SshFixture.settings(server.port()), SshFixture.password("wr0ng-one"));
        try (CommandRunner runner = SshFixture.runner(settings)) {
            for (int i = 0; i < 3; i++) {
                Failing.with(Failure.BackendUnavailable.class, () -> run(runner, command("/bin/true")));
            }

            // Each attempt is a password, and the same one where it is asked for interactively.
            assertThat(server.sessions.get()).isLessThanOrEqualTo(3 * 2);
        }
    }
}
