package dev.fairlead.testkit.contract.host;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;

/** Provides what the contract of a runner needs: a runner that can be used for the whole of a test. */
public interface CommandRunnerSubject {
    CommandRunner runner();

    static Command command(String... argv) {
        return Command.of(new Effect("test", argv[0]), List.of(argv));
    }

    /** Returns a command that runs a script in the host's {@code /bin/sh}. */
    static Command shell(String script) {
        return command("/bin/sh", "-c", script);
    }

    default Ended run(Command command) {
        return runner().run(command, TestWork.patient());
    }
}
