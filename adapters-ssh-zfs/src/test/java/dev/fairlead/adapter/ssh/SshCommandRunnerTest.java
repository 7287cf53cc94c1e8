package dev.fairlead.adapter.ssh;

import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.testkit.contract.host.CommandRunnerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What a runner promises, against a server whose programs are real. */
class SshCommandRunnerTest implements CommandRunnerContract {
    @TempDir
    Path folder;

    private ShellServer server;
    private SshCommandRunner runner;

    @BeforeEach
    void start() {
        server = new ShellServer(folder, "ed25519");
        runner = SshFixture.runner(SshFixture.settings(server.port()));
    }

    @AfterEach
    void stop() {
        runner.close();
        server.close();
    }

    @Override
    public CommandRunner runner() {
        return runner;
    }
}
