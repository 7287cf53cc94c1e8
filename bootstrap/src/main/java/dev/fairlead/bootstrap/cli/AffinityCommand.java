package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.bootstrap.affinity.AffinityOptions;
import dev.fairlead.bootstrap.affinity.AffinityWork;
import dev.fairlead.bootstrap.affinity.LinstorOptions;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes the node affinity of existing PersistentVolumes follow their data, or shows what that would change. */
@Command(
        name = "affinity",
        description = "Makes the node affinity of existing PersistentVolumes follow the topology of their connections."
                + " With --plan it only prints what would change, how and why.",
        footer = "%nExit code with --plan: 0 if nothing would change, 3 if something would, 1 if that cannot be told, 2"
                + " for a wrong command line. Without: 0 after SIGTERM, 1 if another replica took over.",
        mixinStandardHelpOptions = true)
final class AffinityCommand implements Callable<Integer> {
    private static final int CHANGES = 3;
    private static final int UNKNOWN = 1;

    private final Map<String, String> environment;
    private final Terminal terminal;
    private final Function<AffinityOptions, AffinityWork> process;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--plan", description = "Prints the plan and changes nothing.")
    private boolean plan;

    @Option(names = "--json", description = "The plan as one JSON document; also if the output is no terminal.")
    private boolean json;

    @Option(
            names = "--csi-name",
            paramLabel = "NAME",
            description = "A CSI name of this driver; repeats. Goes with --driver-config-file.")
    private List<String> names = List.of();

    @Option(
            names = "--driver-config-file",
            paramLabel = "FILE",
            description = "The main file (driver: proxy), which names the connections' folder.")
    private @Nullable Path main;

    @Option(
            names = "--property-namespace",
            paramLabel = "NS",
            description = "Where LINSTOR's nodes have their labels; default: Aux/topology if a node has"
                    + " Aux/topology/kubernetes.io/hostname, else Aux.")
    private @Nullable String propertyNamespace;

    @Option(
            names = "--linstor-anywhere",
            paramLabel = "open|nodes",
            description =
                    "What a volume of LINSTOR gets that can be used anywhere: no affinity (the default), or all of"
                            + " LINSTOR's nodes.")
    private String anywhere = "open";

    @Option(
            names = "--approve",
            paramLabel = "DIGEST",
            description = "Allows a plan over the limit: the one of this digest, and no other.")
    private @Nullable String approve;

    @Option(
            names = "--namespace",
            paramLabel = "NS",
            description = "Where the Lease and the intents are; default: POD_NAMESPACE, else the access's.")
    private @Nullable String namespace;

    @Option(names = "--lease", paramLabel = "NAME", description = "The Lease's name; default: fairlead-affinity.")
    private String lease = "fairlead-affinity";

    @Option(
            names = "--reconcile-rate",
            paramLabel = "SECONDS",
            description = "The longest time between two looks at all volumes; default: 15.")
    private int interval = 15;

    @Option(
            names = "--settle",
            paramLabel = "SECONDS",
            description = "How long a placement stays the same before nodes lose a volume; default: 30.")
    private int settle = 30;

    @Option(names = "--most", paramLabel = "N", description = "The volumes that one look changes at most; default: 50.")
    private int most = 50;

    @Option(
            names = "--limit-percent",
            paramLabel = "N",
            description = "The share of volumes that may change without --approve, but at least 10; default: 30.")
    private int percent = PlanLimit.USUAL.percent();

    AffinityCommand(
            Map<String, String> environment, Terminal terminal, Function<AffinityOptions, AffinityWork> process) {
        this.environment = environment;
        this.terminal = terminal;
        this.process = process;
    }

    @Override
    public Integer call() throws InterruptedException {
        AffinityWork asked = process.apply(options());
        return plan ? planned(asked) : asked.act();
    }

    private int planned(AffinityWork asked) {
        try {
            AffinityPlan made = asked.plan();
            boolean asJson = json || !terminal.interactive();
            terminal.out().print(asJson ? PlanPrinter.json(made) : new PlanPrinter(terminal).text(made));
            if (!made.entries().isEmpty()) {
                return CHANGES;
            }
            return made.unknown().isEmpty() ? 0 : UNKNOWN;
        } catch (StorageException e) {
            terminal.err()
                    .println("fairlead: what would change cannot be told: "
                            + e.failure().code() + " " + e.failure().message());
            return UNKNOWN;
        }
    }

    private AffinityOptions options() {
        atLeast("--reconcile-rate", interval, 1);
        atLeast("--settle", settle, 0);
        atLeast("--most", most, 1);
        Optional<String> where = Optional.ofNullable(namespace)
                .or(() -> Optional.ofNullable(environment.get("POD_NAMESPACE")))
                .filter(text -> !text.isEmpty());
        if ((main == null) != names.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--csi-name and --driver-config-file: one is missing (expected: both, or neither)");
        }
        Optional<LinstorOptions> linstor = linstor();
        if (main == null && linstor.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no volumes are named (expected: --csi-name and --driver-config-file, or the variable LS_CONTROLLERS"
                            + " for LINSTOR's)");
        }
        return new AffinityOptions(
                names,
                Optional.ofNullable(main),
                linstor,
                where,
                lease,
                Duration.ofSeconds(interval),
                most,
                new ChangeRules(Duration.ofSeconds(settle)),
                limit(),
                Optional.ofNullable(approve).map(this::digest));
    }

    private Optional<LinstorOptions> linstor() {
        if (!List.of("open", "nodes").contains(anywhere)) {
            throw new ParameterException(
                    spec.commandLine(), "--linstor-anywhere: " + anywhere + " (expected: open or nodes)");
        }
        return environment.getOrDefault("LS_CONTROLLERS", "").isEmpty()
                ? Optional.empty()
                : Optional.of(new LinstorOptions(
                        Optional.ofNullable(propertyNamespace).filter(text -> !text.isEmpty()),
                        anywhere.equals("nodes")));
    }

    private PlanLimit limit() {
        try {
            return new PlanLimit(percent, PlanLimit.USUAL.least());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--limit-percent: " + e.getMessage());
        }
    }

    private PlanDigest digest(String text) {
        try {
            return new PlanDigest(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--approve: " + e.getMessage());
        }
    }

    private void atLeast(String option, int value, int least) {
        if (value < least) {
            throw new ParameterException(
                    spec.commandLine(), option + ": " + value + " (expected: at least " + least + ")");
        }
    }
}
