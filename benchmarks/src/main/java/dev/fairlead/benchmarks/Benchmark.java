package dev.fairlead.benchmarks;

import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures Fairlead, the floors under it and, where it is at hand, democratic-csi, all in one run.
 *
 * <p>Started by {@code benchmarks/run}. Compare only numbers of one run: machines drift between minutes.
 */
public final class Benchmark {
    private static final PrintStream OUT = System.out;
    private static final int CONNECTIONS = 10;

    private final List<String> fairlead;
    private final List<String> nullServer;
    private final Path folder;
    private final Results results = new Results();
    private final boolean root;

    private Benchmark(List<String> fairlead, List<String> nullServer, Path folder) {
        this.fairlead = fairlead;
        this.nullServer = nullServer;
        this.folder = folder;
        this.root = "root".equals(System.getProperty("user.name"));
    }

    /**
     * Arguments: rounds, calls at one caller in each round, where the report goes; the commands that start Fairlead and
     * the null server come from the environment, a word a line.
     */
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        int scale = Integer.parseInt(args[1]);
        Path report = Path.of(args[2]);
        Path folder = Files.createTempDirectory("fairlead-benchmark");
        boolean missed;
        try {
            missed = new Benchmark(words("FAIRLEAD_COMMAND"), words("NULL_COMMAND"), folder).run(rounds, scale, report);
        } finally {
            delete(folder);
        }
        System.exit(missed ? 1 : 0);
    }

    private static List<String> words(String variable) {
        return Arrays.asList(
                Optional.ofNullable(System.getenv(variable)).orElseThrow().split("\n"));
    }

    private boolean run(int rounds, int scale, Path report) throws Exception {
        for (int round = 1; round <= rounds; round++) {
            OUT.printf("round %d of %d: starts and memory%n", round, rounds);
            starts();
            OUT.printf("round %d of %d: floors%n", round, rounds);
            floors(scale);
            for (Subject subject : subjects(round)) {
                OUT.printf("round %d of %d: %s%n", round, rounds, subject.name());
                load(subject, scale);
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

    /** Starts are measured with the page cache warm, one process at a time, each with its memory once it is idle. */
    private void starts() throws Exception {
        Path work = Files.createTempDirectory(folder, "start");
        Path socket = work.resolve("csi.sock");
        Path proxy = Subject.proxyFile(work, CONNECTIONS);
        start("null server", nullCommand(socket), socket);
        start("node", ours(proxy, socket, List.of("node")), socket);
        start("controller", ours(proxy, socket, List.of("controller")), socket);
    }

    private void start(String name, List<String> command, Path socket) throws Exception {
        Path log = Files.createTempFile(folder, "server", ".log");
        try (DriverProcess server = DriverProcess.start(command, environment(), socket, log)) {
            results.add("start " + name + " ms", server.startMillis());
            Thread.sleep(2000);
            Memory memory = Memory.of(server.pid());
            results.add("idle rss " + name + " MiB", memory.rss());
            results.add("idle pss " + name + " MiB", memory.pss());
        }
    }

    private void floors(int scale) throws Exception {
        for (int callers : new int[] {1, 8, 32}) {
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
                "floor: null server", nullCommand(nullSocket), environment(), nullSocket, List.of(Map.of())));
        Path single = Subject.hostpathFile(Files.createDirectories(work.resolve("single")));
        Path socket = work.resolve("single.sock");
        List<String> both = List.of("controller", "node");
        subjects.add(new Subject("fairlead", ours(single, socket, both), environment(), socket, List.of(Map.of())));
        Path proxy = Subject.proxyFile(Files.createDirectories(work.resolve("proxy")), CONNECTIONS);
        Path proxySocket = work.resolve("proxy.sock");
        List<Map<String, String>> parameters = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            parameters.add(Map.of("connection", "c" + i));
        }
        subjects.add(new Subject(
                "fairlead, proxy of ten", ours(proxy, proxySocket, both), environment(), proxySocket, parameters));
        Optional.ofNullable(System.getenv("DEMOCRATIC_CSI")).ifPresent(checkout -> {
            Path peerSocket = work.resolve("peer.sock");
            subjects.add(new Subject(
                    "democratic-csi",
                    peer(checkout, single, peerSocket),
                    peerEnvironment(),
                    peerSocket,
                    List.of(Map.of())));
        });
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
            new Scenario(subject, client, Files.createTempDirectory(folder, "warm"), scale).round(new Results(), node);
            scenario.round(results, node);
            Memory memory = Memory.of(server.pid());
            results.add("loaded rss " + subject.name() + " MiB", memory.rss());
            results.add("loaded pss " + subject.name() + " MiB", memory.pss());
        }
    }

    private List<String> ours(Path file, Path socket, List<String> modes) {
        List<String> command = new ArrayList<>(fairlead);
        command.addAll(List.of(
                "--csi-version=1.9.0",
                "--csi-name=benchmark.fairlead.dev",
                "--driver-config-file=" + file,
                "--log-level=info",
                "--server-socket=" + socket));
        modes.forEach(mode -> command.add("--csi-mode=" + mode));
        return command;
    }

    private List<String> nullCommand(Path socket) {
        List<String> command = new ArrayList<>(nullServer);
        command.add(socket.toString());
        return command;
    }

    private static List<String> peer(String checkout, Path file, Path socket) {
        return List.of(
                "node",
                checkout + "/bin/democratic-csi",
                "--csi-version=1.9.0",
                "--csi-name=benchmark.democratic-csi",
                "--driver-config-file=" + file,
                "--log-level=info",
                "--csi-mode=controller",
                "--csi-mode=node",
                "--server-socket=" + socket);
    }

    private static Map<String, String> environment() {
        return Map.of("CSI_NODE_ID", "bench-node", "NODE_ENV", "production");
    }

    private static Map<String, String> peerEnvironment() {
        return environment();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
