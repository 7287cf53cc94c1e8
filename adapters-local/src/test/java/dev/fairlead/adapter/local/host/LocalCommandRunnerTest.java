package dev.fairlead.adapter.local.host;

import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.testkit.contract.host.CommandRunnerContract;

class LocalCommandRunnerTest implements CommandRunnerContract {
    private final CommandRunner runner = new LocalCommandRunner(
            "test", Thread.ofPlatform().daemon().factory(), HostTools.ofThisMachine(ToolSettings.USUAL));

    @Override
    public CommandRunner runner() {
        return runner;
    }
}
