package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.port.out.cluster.NodeOutlook;
import dev.fairlead.application.port.out.node.StagedVolumes;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Keeps a node's driver running while the node is being emptied and has volumes; the chart runs it before the driver's
 * container is ended. Without the driver nobody could unmount them, and the node would never be seen as free of them.
 */
@Command(
        name = "drain-wait",
        description = "Returns at once if the node stays (a renewed pod) or holds no volume of these drivers; if it is"
                + " being drained or shut down, as soon as it holds none any more. Changes nothing.",
        footer = "%nExit code: 0, or 1 if volumes are still there when the time is over, or if Kubernetes refuses to"
                + " tell of the node; 2 for a wrong command line.",
        mixinStandardHelpOptions = true)
final class DrainWaitCommand implements Callable<Integer> {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
    private static final int SHOWN = 5;

    private final Map<String, String> environment;
    private final Terminal terminal;
    private final Supplier<NodeOutlook> outlook;
    private final Function<Path, StagedVolumes> node;
    private final Pause pause;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--csi-name", paramLabel = "NAME", required = true, description = "A driver's name; repeats.")
    private List<String> names = List.of();

    @Option(names = "--kubelet-dir", paramLabel = "DIR", description = "Kubelet's folder as this process sees it.")
    private Path kubelet = Path.of("/var/lib/kubelet");

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "How long to wait at most; default 120.")
    private int seconds = 120;

    /**
     * @param outlook asked only if there is something to wait for
     * @param node finds the volumes of a node by kubelet's folder
     */
    DrainWaitCommand(
            Map<String, String> environment,
            Terminal terminal,
            Supplier<NodeOutlook> outlook,
            Function<Path, StagedVolumes> node,
            Pause pause) {
        this.environment = environment;
        this.terminal = terminal;
        this.outlook = outlook;
        this.node = node;
        this.pause = pause;
    }

    @Override
    public Integer call() throws InterruptedException {
        StagedVolumes volumes = node.apply(kubelet);
        Set<String> drivers = new LinkedHashSet<>(names);
        try {
            if (volumes.of(drivers).isEmpty()) {
                return 0;
            }
            Optional<String> leaving = leaving();
            if (leaving.isEmpty()) {
                return 0;
            }
            return await(volumes, drivers, leaving.get());
        } catch (StorageException e) {
            terminal.err()
                    .println("fairlead: not waiting for the node's volumes: "
                            + e.failure().code() + " " + e.failure().message());
            return 1;
        }
    }

    /**
     * Returns why the node is leaving; empty if it stays. If Kubernetes does not answer, the node counts as leaving: a
     * machine that goes down may have lost its network first, and waiting takes a bounded time.
     */
    private Optional<String> leaving() {
        String name = Optional.ofNullable(environment.get("CSI_NODE_ID"))
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "the variable CSI_NODE_ID is not set (expected: the node's name)"));
        try {
            return outlook.get().leaving(name);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.ClusterUnavailable unavailable) {
                return Optional.of("nobody can tell whether it stays: " + unavailable.detail());
            }
            throw e;
        }
    }

    private int await(StagedVolumes volumes, Set<String> drivers, String why) throws InterruptedException {
        terminal.err().println("fairlead: the node is leaving (" + why + "): waiting for its volumes");
        for (int second = 0; second < seconds; second++) {
            pause.of(BETWEEN_LOOKS);
            if (volumes.of(drivers).isEmpty()) {
                return 0;
            }
        }
        List<String> left = volumes.of(drivers);
        terminal.err()
                .println("fairlead: after " + seconds + " s the node still holds " + left.size() + ": "
                        + String.join(", ", left.subList(0, Math.min(SHOWN, left.size()))));
        return left.isEmpty() ? 0 : 1;
    }
}
