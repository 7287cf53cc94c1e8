package dev.fairlead.lab;

import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.work.Work;
import java.util.Optional;

/**
 * One SSH session for all processes of a test: the keys of a new one take seconds of an emulated machine. What becomes
 * of a command when its session ends is {@link SshOnStorageTest}'s to tell.
 */
final class KeptSession implements CommandRunnerFactory, AutoCloseable {
    private final CommandRunnerFactory ssh = SshModule.ssh(() -> ZfsPoolFixture.SESSIONS);
    private Optional<CommandRunner> session = Optional.empty();

    @Override
    public CommandRunner open(ConnectionScope scope, ConfigNode file) {
        CommandRunner own = ssh.open(scope, file); // reads the settings, and talks to nobody yet
        session.ifPresentOrElse(_ -> own.close(), () -> session = Optional.of(own));
        return new Lent(session.orElse(own));
    }

    @Override
    public void close() {
        session.ifPresent(CommandRunner::close);
    }

    /** It outlives who uses it. */
    private record Lent(CommandRunner session) implements CommandRunner {
        @Override
        public Ended run(Command command, Work work) {
            return session.run(command, work);
        }

        @Override
        public void close() {}
    }
}
