package dev.fairlead.bootstrap.cli;

import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.port.out.host.Tools.Tool;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.bootstrap.check.AccessCheck;
import dev.fairlead.bootstrap.check.AccessReport;
import dev.fairlead.bootstrap.check.CheckReport;
import dev.fairlead.bootstrap.check.DaggerToolComponent;
import dev.fairlead.bootstrap.check.FolderCheck;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.DaggerFactoryComponent;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.driver.FactoryComponent;
import dev.fairlead.bootstrap.driver.Locality;
import dev.fairlead.bootstrap.settings.MainFile;
import dev.fairlead.bootstrap.settings.MainFileReader;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads connections as the driver would, and says what is wrong with them. */
@Command(
        name = "check",
        description = "Reads a folder of connections as the driver would and prints everything that is wrong with it,"
                + " each with its place and its remedy. Needs no storage, but for --roles, and changes nothing.",
        footer =
                "%nExit code: 0 if everything can be used, 1 if something cannot, or lacks a role, 2 for a wrong command"
                        + " line, 3 if with --roles nothing is known to be wrong but a storage could not be asked.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    /** The longest time for the answers of all storages. */
    private static final int PATIENCE_SECONDS = 60;

    private static final int UNKNOWN = 3;

    private final Map<String, String> environment;
    private final Terminal terminal;
    private Consumer<Backend> use = FolderCheck::close;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "FOLDER",
            arity = "0..1",
            description = "The connections' files; or one driver's own file.")
    private @Nullable Path named;

    private Path folder = Path.of(".");

    @Option(names = "--main", paramLabel = "FILE", description = "The main file, for its defaults and topology.")
    private @Nullable Path main;

    @Option(
            names = "--node",
            description =
                    "Prints the programs that a node runs on this machine instead, where each is taken from and its"
                            + " version; --main names the file that says so.")
    private boolean node;

    @Option(
            names = "--roles",
            description = "Asks each connection's storage too which roles its credential has, and prints those that the"
                    + " connection lacks, with the commands that grant them. Only TrueNAS from 25.04 on has roles.")
    private boolean roles;

    @Option(names = "--strict", description = "Warnings count as errors; with --node, a program that is not there.")
    private boolean strict;

    @Option(names = "--json", description = "One JSON document; also if the output is no terminal.")
    private boolean json;

    CheckCommand(Map<String, String> environment, Terminal terminal) {
        this.environment = environment;
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (node) {
            return tools();
        }
        folder = Optional.ofNullable(named)
                .orElseThrow(() -> new ParameterException(spec.commandLine(), "Missing required parameter: 'FOLDER'"));
        if (roles) {
            return reviewed();
        }
        CheckReport report = check();
        boolean asJson = json || !terminal.interactive();
        terminal.out()
                .print(asJson ? CheckPrinter.json(report, strict) : new CheckPrinter(terminal).text(report, strict));
        return report.passes(strict) ? 0 : 1;
    }

    private int reviewed() {
        try (var access = new AccessCheck(() -> work("asking for roles"), PATIENCE_SECONDS)) {
            use = access::add;
            CheckReport report = check();
            AccessReport found = access.run();
            String text = json || !terminal.interactive()
                    ? CheckPrinter.json(report, found, strict)
                    : new CheckPrinter(terminal).text(report, strict) + new AccessPrinter(terminal).text(found);
            terminal.out().print(text);
            if (!report.passes(strict) || found.lacks()) {
                return 1;
            }
            return found.isIncomplete() ? UNKNOWN : 0;
        }
    }

    private static Work work(String what) {
        return UseCases.works(InstantSource.system(), Telemetry.NONE, () -> false)
                .begin("check", what, Optional.empty(), () -> false);
    }

    private int tools() {
        ToolSettings settings = Optional.ofNullable(main)
                .map(file -> MainFileReader.read(file, environment, DriverTypes.all())
                        .tools())
                .orElseGet(() -> ToolSettings.of(environment));
        Work work = work("asking for versions");
        List<Tool> tools =
                DaggerToolComponent.factory().create(settings).tools().versions(work);
        boolean asJson = json || !terminal.interactive();
        terminal.out().print(asJson ? CheckPrinter.json(tools) : new CheckPrinter(terminal).text(tools));
        return strict && !tools.stream().allMatch(Tool::isThere) ? 1 : 0;
    }

    private CheckReport check() {
        DriverTypes types = DriverTypes.all();
        try {
            if (Files.isRegularFile(folder)) {
                return single(types, MainFileReader.read(folder, environment, types));
            }
            Optional<MainFile> read =
                    Optional.ofNullable(main).map(file -> MainFileReader.read(file, environment, types));
            return folder(types, read);
        } catch (InvalidConfigException e) {
            return CheckReport.ofProblems(e.problems());
        }
    }

    private CheckReport single(DriverTypes types, MainFile file) {
        FolderCheck check = new FolderCheck(
                assembler(
                        types,
                        true,
                        prefix(Optional.of(file)),
                        file.capabilities().publishes()),
                Defaults.NONE,
                use);
        return switch (file.kind()) {
            case MainFile.Single single -> check.single(folder, file, single);
            case MainFile.Proxy proxy -> folder(types, Optional.of(file), proxy.connections());
        };
    }

    private CheckReport folder(DriverTypes types, Optional<MainFile> file) {
        return folder(types, file, folder);
    }

    /** Checks a folder; without a main file, uses for each setting of it the value that finds fewest problems. */
    private CheckReport folder(DriverTypes types, Optional<MainFile> file, Path connections) {
        Defaults defaults = file.flatMap(main ->
                        main.kind() instanceof MainFile.Proxy proxy ? Optional.of(proxy.defaults()) : Optional.empty())
                .orElse(Defaults.NONE);
        TopologyPrefix prefix = prefix(file);
        boolean perNode = file.map(MainFile::perNode).orElse(true);
        boolean publishes = file.map(main -> main.capabilities().publishes()).orElse(true);
        CheckReport report =
                new FolderCheck(assembler(types, perNode, prefix, publishes), defaults, use).folder(connections);
        List<Problem> problems = new ArrayList<>(file.map(MainFile::warnings).orElse(List.of()));
        problems.addAll(report.problems());
        return new CheckReport(report.connections(), problems);
    }

    private static TopologyPrefix prefix(Optional<MainFile> file) {
        return file.flatMap(MainFile::nodeTopology)
                .map(NodeTopologyRules::prefix)
                .orElse(TopologyPrefix.DEFAULT);
    }

    /** Makes the assembler, with an invented node name: the driver will run on another node. */
    private static BackendAssembler assembler(
            DriverTypes types, boolean perNode, TopologyPrefix prefix, boolean publishes) {
        FactoryComponent parts = DaggerFactoryComponent.create();
        var locality = new Locality(prefix, perNode, Optional.of("this-node"));
        return new BackendAssembler(types, parts.stores(), parts.exporters(), locality, "check", publishes);
    }
}
