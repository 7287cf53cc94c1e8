package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures Fairlead, the floors under it and, if it is at hand, democratic-csi, all in one run.
 *
 * <p>Started by {@code benchmarks/run}. Compare only numbers of one run: machines drift between minutes.
 */
public final class Benchmark {
    private static final PrintStream OUT = System.out;
    private static final int CONNECTIONS = 10;
    private static final int[] CALLERS = {1, 8, 32};

    private final Commands commands;
    private final Path folder;
    private final Results results = new Results();
    private final boolean root;

    private Benchmark(Commands commands, Path folder) {
        this.commands = commands;
        this.folder = folder;
        this.root = "root".equals(System.getProperty("user.name"));
    }

    /**
     * Runs the benchmark; arguments: rounds, calls at one caller in each round, the report's file, and {@code peer} if
     * only Fairlead beside democratic-csi, or beside another build of itself, is to be measured.
     */
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        int scale = Integer.parseInt(args[1]);
        Path report = Path.of(args[2]);
        boolean all = args.length < 4;
        Path folder = Files.createTempDirectory("fairlead-benchmark");
        boolean missed;
        try {
            missed = new Benchmark(Commands.ofEnvironment(), folder).run(rounds, scale, report, all);
        } finally {
            delete(folder);
        }
        System.exit(missed ? 1 : 0);
    }

    private boolean run(int rounds, int scale, Path report, boolean all) throws Exception {
        Optional<Path> memory = commands.peer().isPresent() ? memory() : Optional.empty();
        Optional<BesideRounds> beside =
                commands.beside().map(other -> new BesideRounds(commands.fairlead(), other, folder, results, root));
        Optional<PeerRounds> peer =
                commands.peer().map(found -> new PeerRounds(commands, found, folder, memory, results, root));
        try {
            for (int round = 1; round <= rounds; round++) {
                OUT.printf("round %d of %d%n", round, rounds);
                if (all) {
                    ourselves(round, scale);
                }
                if (beside.isPresent()) {
                    beside.get().round(round, scale);
                }
                if (peer.isPresent()) {
                    peer.get().round(round, scale);
                }
            }
        } finally {
            if (memory.isPresent()) {
                delete(memory.get());
            }
        }
        List<Reach> marks = Reach.marks(results);
        OUT.println();
        OUT.println(Report.markdown(results, marks));
        Files.createDirectories(report.toAbsolutePath().getParent());
        Files.writeString(report.resolveSibling(report.getFileName() + ".md"), Report.markdown(results, marks));
        Files.writeString(report, Report.json(results, marks));
        return marks.stream().anyMatch(Reach::missed);
    }

    /** Makes a new folder in memory, or returns empty if {@code /dev/shm} is no tmpfs. */
    private static Optional<Path> memory() throws IOException {
        Path shared = Path.of("/dev/shm");
        return Files.isDirectory(shared)
                        && "tmpfs".equals(Files.getFileStore(shared).type())
                ? Optional.of(Files.createTempDirectory(shared, "fairlead-benchmark"))
                : Optional.empty();
    }

    private void ourselves(int round, int scale) throws Exception {
        OUT.println("  starts and memory");
        starts();
        OUT.println("  floors");
        floors(scale);
        for (Subject subject : subjects(round)) {
            OUT.printf("  %s%n", subject.name());
            load(subject, scale);
        }
    }

    /**
     * Measures how long processes take to start, one at a time and with the page cache warm, and their memory once they
     * are idle.
     */
    private void starts() throws Exception {
        Path work = Files.createTempDirectory(folder, "start");
        Path socket = work.resolve("csi.sock");
        Path proxy = Subject.proxyFile(work, CONNECTIONS);
        start("null server", commands.nullServer(socket), socket);
        start("node", commands.ours(proxy, socket, List.of("node")), socket);
        start("controller", commands.ours(proxy, socket, List.of("controller")), socket);
    }

    private void start(String name, List<String> command, Path socket) throws Exception {
        Path log = Files.createTempFile(folder, "server", ".log");
        try (DriverProcess server = DriverProcess.start(command, Commands.ENVIRONMENT, socket, log)) {
            results.add("start " + name + " ms", server.startMillis());
            Thread.sleep(2000);
            Memory memory = Memory.of(server.pid());
            results.add("idle rss " + name + " MiB", memory.rss());
            results.add("idle pss " + name + " MiB", memory.pss());
        }
    }

    private void floors(int scale) throws Exception {
        for (int callers : CALLERS) {
            Path place = Floors.freshFolder(folder);
            results.add(
                    new Cell("floor: mkdir and a synced file", "CreateVolume", callers),
                    Load.run(callers, 2 * scale, Floors.syncedDirectory(place)));
            if (root) {
                results.add(
                        new Cell("floor: mount(2) and umount2(2)", "NodePublishVolume", callers),
                        Load.run(callers, scale, Floors.bindMount(Floors.freshFolder(folder))));
            }
        }
    }

    private List<Subject> subjects(int round) throws IOException {
        List<Subject> subjects = new ArrayList<>();
        Path work = Files.createDirectories(folder.resolve("round" + round));
        Path nullSocket = work.resolve("null.sock");
        subjects.add(new Subject(
                "floor: null server",
                commands.nullServer(nullSocket),
                Commands.ENVIRONMENT,
                nullSocket,
                List.of(Map.of())));
        Path single = Subject.hostpathFile(Files.createDirectories(work.resolve("single")), "root");
        Path socket = work.resolve("single.sock");
        List<String> both = List.of("controller", "node");
        subjects.add(new Subject(
                "fairlead", commands.ours(single, socket, both), Commands.ENVIRONMENT, socket, List.of(Map.of())));
        Path proxy = Subject.proxyFile(Files.createDirectories(work.resolve("proxy")), CONNECTIONS);
        Path proxySocket = work.resolve("proxy.sock");
        List<Map<String, String>> parameters = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            parameters.add(Map.of("connection", "c" + i));
        }
        subjects.add(new Subject(
                "fairlead, proxy of ten",
                commands.ours(proxy, proxySocket, both),
                Commands.ENVIRONMENT,
                proxySocket,
                parameters));
        return subjects;
    }

    private void load(Subject subject, int scale) throws Exception {
        Path log = Files.createTempFile(folder, "server", ".log");
        Path pods = Files.createTempDirectory(folder, "pods");
        try (DriverProcess server =
                        DriverProcess.start(subject.command(), subject.environment(), subject.socket(), log);
                CsiClient client = new CsiClient(server.socket())) {
            boolean node = root && !subject.name().startsWith("floor");
            Scenario scenario = new Scenario(subject, client, pods, scale);
            new Scenario(subject, client, Files.createTempDirectory(folder, "warm"), scale)
                    .round(new Results(), node, CALLERS);
            scenario.round(results, node, CALLERS);
            Memory memory = Memory.of(server.pid());
            results.add("loaded rss " + subject.name() + " MiB", memory.rss());
            results.add("loaded pss " + subject.name() + " MiB", memory.pss());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
