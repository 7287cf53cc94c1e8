package dev.fairlead.bootstrap.cli;

import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.bootstrap.affinity.AffinityOptions;
import dev.fairlead.bootstrap.affinity.AffinityWork;
import dev.fairlead.bootstrap.affinity.LinstorOptions;
import dev.fairlead.bootstrap.cli.former.AffinityFlags;
import dev.fairlead.bootstrap.cli.former.OptionDuration;
import dev.fairlead.bootstrap.cli.former.UnusedFlags;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes the node affinity of existing PersistentVolumes follow their data, or shows what that would change. */
@Command(
        name = "affinity",
        description = "Makes the node affinity of existing PersistentVolumes follow the topology of their connections."
                + " With --plan it only prints what would change, how and why; as JSON also if the output is"
                + " no terminal.",
        footer = "%nExit code with --plan: 0 if nothing would change, 3 if something would, 1 if that cannot be told, 2"
                + " for a wrong command line. Without: 0 after SIGTERM, 1 if another replica took over.",
        mixinStandardHelpOptions = true)
final class AffinityCommand implements Callable<Integer> {
    private final Map<String, String> environment;
    private final Terminal terminal;
    private final Function<AffinityOptions, AffinityWork> process;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AffinityFlags flags = new AffinityFlags();

    @Mixin
    private UnusedFlags unused = new UnusedFlags();

    @Mixin
    private PlanOptions common = new PlanOptions();

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
                    "What a volume of LINSTOR gets that can be used anywhere: no affinity (the default), or each node"
                            + " that has the label linbit.com/hostname.")
    private String anywhere = "open";

    @Option(
            names = "--old-lease",
            paramLabel = "NS/NAME|none",
            description = "A Lease of LINSTOR's own affinity controller, while whose holder lives nothing is changed;"
                    + " repeats. Default: piraeus-datastore/linstor-affinity-controller, and that name in the namespace"
                    + " of --namespace.")
    private List<String> oldLeases = List.of();

    @Option(
            names = "--approve",
            split = ",",
            paramLabel = "DIGEST",
            description =
                    "Allows changes over the limit: those of the plan, or of the group in it, that has this digest,"
                            + " and no others; repeats.")
    private List<String> approve = List.of();

    @Option(
            names = "--reconcile-rate",
            paramLabel = "TIME",
            converter = OptionDuration.class,
            description = "The longest time between two looks at all volumes; default: 15s.")
    private Duration interval = Duration.ofSeconds(15);

    @Option(
            names = "--settle",
            paramLabel = "TIME",
            converter = OptionDuration.class,
            description = "How long a placement stays the same before nodes lose a volume; default: 30s.")
    private Duration settle = Duration.ofSeconds(30);

    @Option(
            names = "--most",
            paramLabel = "N",
            description = "The volumes that are tried to be changed in --reconcile-rate at most; default: 50.")
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
        List<String> warnings = new ArrayList<>(flags.warnings());
        warnings.addAll(unused.warnings(spec.commandLine().getParseResult().originalArgs()));
        AffinityOptions options = options();
        warnings.forEach(warning -> terminal.err().println("fairlead: warning: " + warning));
        AffinityWork asked = process.apply(options);
        return common.isPlan() ? planned(asked) : asked.act();
    }

    private int planned(AffinityWork asked) {
        try {
            AffinityPlan made = asked.plan();
            boolean asJson = common.isJson() || !terminal.interactive();
            terminal.out().print(asJson ? PlanPrinter.json(made) : new PlanPrinter(terminal).text(made));
            if (!made.entries().isEmpty() || made.notes().stream().anyMatch(AffinityPlan.Note::changes)) {
                return PlanOptions.CHANGES;
            }
            // What somebody wants to be left alone is as it should be.
            boolean wrong = made.unknown().values().stream()
                    .anyMatch(why -> why.finding().isPresent());
            boolean untold = made.notes().stream().anyMatch(note -> !note.told());
            return wrong || untold ? PlanOptions.UNKNOWN : 0;
        } catch (StorageException e) {
            return PlanOptions.untold(terminal, e);
        }
    }

    private AffinityOptions options() {
        if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--reconcile-rate: " + interval.toMillis() + " ms (expected: at least 1s)");
        }
        if (most < 1) {
            throw new ParameterException(spec.commandLine(), "--most: " + most + " (expected: at least 1)");
        }
        Optional<String> where = common.namespace(environment).map(name -> flags.named("--namespace", name));
        if ((main == null) != names.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--csi-name and --driver-config-file: one is missing (expected: both, or neither)");
        }
        Optional<LinstorOptions> linstor = linstor(where);
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
                flags.lease(environment),
                interval,
                most,
                new ChangeRules(settle),
                limit(),
                approve.stream().map(this::digest).collect(Collectors.toSet()),
                flags.serving(environment));
    }

    private Optional<LinstorOptions> linstor(Optional<String> where) {
        if (!List.of("open", "nodes").contains(anywhere)) {
            throw new ParameterException(
                    spec.commandLine(), "--linstor-anywhere: " + anywhere + " (expected: open or nodes)");
        }
        return environment.getOrDefault("LS_CONTROLLERS", "").isEmpty()
                ? Optional.empty()
                : Optional.of(new LinstorOptions(
                        Optional.ofNullable(propertyNamespace).filter(text -> !text.isEmpty()),
                        anywhere.equals("nodes"),
                        oldLeases(where)));
    }

    private List<LeaseName> oldLeases(Optional<String> where) {
        if (oldLeases.isEmpty()) {
            Stream<LeaseName> here = where.map(namespace -> new LeaseName(namespace, LeaseName.USUAL.name())).stream();
            return Stream.concat(Stream.of(LeaseName.USUAL), here).distinct().toList();
        }
        return oldLeases.equals(List.of("none"))
                ? List.of()
                : oldLeases.stream().map(this::oldLease).toList();
    }

    private LeaseName oldLease(String text) {
        return LeaseName.parse(text)
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(),
                        "--old-lease: " + text + " (expected: NAMESPACE/NAME, or none and no other)"));
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
}
