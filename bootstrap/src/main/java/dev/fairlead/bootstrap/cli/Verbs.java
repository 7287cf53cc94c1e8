package dev.fairlead.bootstrap.cli;

import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.node.settings.StagingSettings;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.port.out.node.StagedVolumes;
import dev.fairlead.bootstrap.affinity.AffinityOptions;
import dev.fairlead.bootstrap.affinity.AffinityProcess;
import dev.fairlead.bootstrap.affinity.AffinitySources;
import dev.fairlead.bootstrap.cluster.ClusterAccess;
import dev.fairlead.bootstrap.cluster.ClusterComponent;
import dev.fairlead.bootstrap.cluster.DaggerClusterComponent;
import dev.fairlead.bootstrap.cluster.DaggerStagingComponent;
import dev.fairlead.bootstrap.logging.LogSettings;
import dev.fairlead.bootstrap.logging.Logging;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs all verbs other than serving. A new one needs an instance here, and a line in {@link Help}. */
@Command(name = "fairlead")
public final class Verbs implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Verbs() {}

    /** Runs the verb that the arguments begin with, and answers the process's exit code. */
    public static int run(List<String> arguments, Map<String, String> environment, Terminal terminal) {
        var commands = new CommandLine(new Verbs());
        commands.addSubcommand(new AdoptionCommand(
                environment, terminal, () -> cluster(environment).adoptions()));
        commands.addSubcommand(
                new AffinityCommand(environment, terminal, options -> affinity(environment, terminal, options)));
        commands.addSubcommand(new CheckCommand(environment, terminal));
        commands.addSubcommand(new DemoCommand(environment, terminal));
        Pause pause = time -> TimeUnit.NANOSECONDS.sleep(time.toNanos());
        commands.addSubcommand(new DrainWaitCommand(
                environment, terminal, () -> cluster(environment).outlook(), Verbs::staged, pause));
        commands.addSubcommand(new DriversCommand(terminal));
        commands.addSubcommand(
                new UninstallCheckCommand(() -> cluster(environment).remains(), terminal, pause));
        commands.setExecutionExceptionHandler((thrown, _, _) -> unusable(thrown, terminal));
        commands.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
        commands.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
        commands.setColorScheme(CommandLine.Help.defaultColorScheme(
                terminal.color() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
        return commands.execute(arguments.toArray(String[]::new));
    }

    /**
     * Prints the problems of an invalid configuration as the driver does, and returns 1; throws anything else, which is
     * a defect.
     */
    private static int unusable(Exception thrown, Terminal terminal) throws Exception {
        if (thrown instanceof InvalidConfigException invalid) {
            invalid.problems().forEach(problem -> terminal.err().println("fairlead: " + problem));
            return 1;
        }
        throw thrown;
    }

    private static StagedVolumes staged(Path kubelet) {
        return DaggerStagingComponent.factory()
                .create(new StagingSettings(kubelet))
                .staged();
    }

    private static AffinityProcess affinity(
            Map<String, String> environment, Terminal terminal, AffinityOptions options) {
        Logging.use(LogSettings.of(options.serving().logLevel(), Optional.empty(), environment, terminal.color()));
        Map<String, String> access = new HashMap<>(environment);
        options.serving().kubeconfig().ifPresent(file -> access.put("KUBECONFIG", file));
        return new AffinityProcess(
                options,
                ClusterAccess.read(name -> access.getOrDefault(name, ""), KubernetesSettings.ACCOUNT),
                AffinitySources.of(options, environment),
                AffinitySources.saved(options, environment),
                options.serving()
                        .candidate()
                        .orElse(environment.getOrDefault(
                                "POD_NAME", environment.getOrDefault("HOSTNAME", "fairlead"))));
    }

    private static ClusterComponent cluster(Map<String, String> environment) {
        return DaggerClusterComponent.factory()
                .create(ClusterAccess.read(name -> environment.getOrDefault(name, ""), KubernetesSettings.ACCOUNT));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a verb is missing; see fairlead --help");
    }
}
