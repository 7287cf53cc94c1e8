package dev.fairlead.adapter.ssh;

import static dev.fairlead.testkit.contract.host.CommandRunnerSubject.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host whose user has a login shell that is not of the Bourne family. */
class SshLoginShellTest {
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

    /** What csh answers to a line break between quotes, whatever it is asked to run. */
    @ParameterizedTest
    @ValueSource(strings = {"Unmatched '.", "Unmatched \'''\'."})
    void a_login_shell_that_runs_nothing_of_ours_is_told_with_the_remedy(String said) {
        try (CommandRunner runner = SshFixture.runner(SshFixture.settings(server.port()))) {
            Command csh = command("/bin/sh", "-c", "printf '%s\n' \"$0\" >&2; exit 1", said);

            Failing.with(Failure.BackendRejected.class, () -> run(runner, csh));
            assertThatThrownBy(() -> run(runner, csh)).hasMessageContaining("chsh -s /bin/sh");
            assertThat(run(runner, command("/bin/sh", "-c", "echo 'zfs: Unmatched' >&2; exit 1"))
                            .exitCode())
                    .isEqualTo(1);
        }
    }
}
