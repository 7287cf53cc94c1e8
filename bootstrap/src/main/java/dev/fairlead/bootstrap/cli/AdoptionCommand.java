package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.port.out.adoption.Adoption;
import dev.fairlead.application.port.out.adoption.AdoptionTarget;
import dev.fairlead.application.port.out.adoption.Adoptions;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes PersistentVolumes of another provisioner volumes of this driver, or gives them back. */
@Command(
        name = "adopt",
        description =
                "Makes PersistentVolumes of kubevirt's former provisioner (kubevirt.io/hostpath-provisioner) volumes"
                        + " of this driver: the same names, claims and folders, nothing is copied, and pods go on. It may be"
                        + " killed at any moment; the next run ends what it has begun.",
        footer = "%nExit code with --plan: 0 if nothing would change, 3 if something would. Without: 0 if all that was"
                + " planned is done. Both: 1 if that cannot be told or done, 2 for a wrong command line.",
        mixinStandardHelpOptions = true)
final class AdoptionCommand implements Callable<Integer> {
    /** The names that the driver takes for pools: any other one in a handle is of no pool. */
    private static final Pattern POOL = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,48}[A-Za-z0-9])?");

    private final Map<String, String> environment;
    private final Terminal terminal;
    private final Supplier<Adoptions> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "hostpath", description = "Whose volumes: hostpath, and no others yet.")
    private String whose = "";

    @Option(names = "--csi-name", paramLabel = "NAME", required = true, description = "The CSI name of this driver.")
    private String driver = "";

    @Option(
            names = "--pool",
            paramLabel = "NAME=PATH",
            required = true,
            description =
                    "A pool of the driver, and its path on the nodes; repeats. The provisioner's PV_DIR is the path.")
    private List<String> pools = List.of();

    @Option(
            names = "--connection",
            paramLabel = "NAME",
            description = "The connection of the pools, if the driver serves several (driver: proxy).")
    private @Nullable String connection;

    @Option(
            names = "--topology-key",
            paramLabel = "KEY",
            description = "The label by which the driver tells its nodes apart; default: topology.hostpath.csi/node.")
    private String topologyKey = "topology.hostpath.csi/node";

    @Option(names = "--back", description = "Gives adopted volumes back to the provisioner that made them.")
    private boolean back;

    @Mixin
    private PlanOptions common = new PlanOptions();

    AdoptionCommand(Map<String, String> environment, Terminal terminal, Supplier<Adoptions> cluster) {
        this.environment = environment;
        this.terminal = terminal;
        this.cluster = cluster;
    }

    @Override
    public Integer call() {
        if (!whose.equals("hostpath")) {
            throw wrong(whose + " (expected: hostpath)");
        }
        AdoptionTarget target = new AdoptionTarget(driver, topologyKey, pools(), connection());
        Adoptions adoptions = cluster.get();
        String where = common.namespace(environment)
                .or(adoptions::namespace)
                .orElseThrow(() -> wrong("--namespace is missing, in which the intents are kept"));
        Adoption adoption = adoptions.of(target, back, where);
        try {
            return common.isPlan() ? planned(adoption.plan()) : acted(adoption);
        } catch (StorageException e) {
            return PlanOptions.untold(terminal, e);
        }
    }

    private int planned(List<Adoption.Entry> entries) {
        long changes = entries.stream().filter(entry -> entry.to().isPresent()).count();
        terminal.out().print(common.isJson() ? AdoptionPrinter.json(entries) : AdoptionPrinter.text(entries));
        return changes == 0 ? 0 : PlanOptions.CHANGES;
    }

    private int acted(Adoption adoption) {
        Map<String, ChangeOutcome.Result> last = new TreeMap<>(); // one that was taken back may be replaced after that
        adoption.act(outcome -> {
            last.put(outcome.volume(), outcome.result());
            terminal.out().print(common.isJson() ? AdoptionPrinter.json(outcome) : AdoptionPrinter.text(outcome));
        });
        List<Adoption.Entry> rest = adoption.plan();
        rest.stream()
                .filter(entry -> entry.to().isEmpty())
                .forEach(entry ->
                        terminal.err().println("fairlead: " + entry.volume() + " stays as it is: " + entry.why()));
        boolean done = rest.stream().allMatch(entry -> entry.to().isEmpty());
        return done && last.values().stream().allMatch(ChangeOutcome.Result.REPLACED::equals) ? 0 : PlanOptions.UNKNOWN;
    }

    private Map<String, Path> pools() {
        Map<String, Path> read = new TreeMap<>();
        for (String text : pools) {
            int equals = text.indexOf('=');
            String path = text.substring(equals + 1);
            if (equals < 1
                    || !POOL.matcher(text.substring(0, equals)).matches()
                    || !path.startsWith("/")
                    || !Path.of(path).equals(Path.of(path).normalize())) {
                throw wrong("--pool: " + text + " (expected: a pool's name, = and an absolute path)");
            }
            if (read.put(text.substring(0, equals), Path.of(path)) != null) {
                throw wrong("--pool: " + text + " (expected: each pool once)");
            }
        }
        if (Set.copyOf(read.values()).size() < read.size() || read.containsValue(Path.of("/"))) {
            throw wrong("--pool: " + read.keySet().stream().collect(Collectors.joining(", "))
                    + " (expected: each with a folder of its own, and none with /)");
        }
        return read;
    }

    private Optional<String> connection() {
        return Optional.ofNullable(connection).map(name -> {
            if (!ConnectionName.isValid(name)) {
                throw wrong("--connection: " + name + " (expected: " + ConnectionName.EXPECTED + ")");
            }
            return name;
        });
    }

    private ParameterException wrong(String why) {
        return new ParameterException(spec.commandLine(), why);
    }
}
