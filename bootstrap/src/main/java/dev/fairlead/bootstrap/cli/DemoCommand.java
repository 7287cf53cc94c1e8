package dev.fairlead.bootstrap.cli;

import dev.fairlead.bootstrap.logging.LogSettings;
import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import dev.fairlead.bootstrap.logging.Logging;
import dev.fairlead.demo.ClusterDemo;
import dev.fairlead.demo.Demo;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows a volume's life on a driver of its own. */
@Command(
        name = "demo",
        description = "Starts the real driver with three connections in two zones on a temporary folder, walks a volume"
                + " through its life over the driver's socket, and leaves nothing behind.",
        footer = "%nExit code: 0 if all is as it should be, 1 if anything is not, 2 for a wrong command line.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private final Map<String, String> environment;
    private final Terminal terminal;

    @Option(names = "--json", description = "One JSON object a line, for programs.")
    private boolean json;

    @Option(
            names = "--cluster",
            description =
                    "Six pods in three zones of a real Kubernetes instead, that of lab/kube, which is started if it"
                            + " is down and this is root. A program gets JSON.")
    private boolean cluster;

    DemoCommand(Map<String, String> environment, Terminal terminal) {
        this.environment = environment;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        // The logs of the client's libraries are of no use to a newcomer.
        Logging.use(LogSettings.of(Optional.of(LogLevel.ERROR), Optional.empty(), environment, terminal.color()));
        if (cluster) {
            return new ClusterDemo(environment).run(json || !terminal.interactive(), terminal.out(), terminal.color());
        }
        return new Demo(terminal.out(), terminal.err(), environment, terminal.color()).run(json);
    }
}
