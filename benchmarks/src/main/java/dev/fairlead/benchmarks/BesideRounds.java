package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Rounds;
import dev.fairlead.benchmarks.measured.Sample;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Measures two builds of Fairlead by turns, each alone on the machine, with the same files and calls. */
final class BesideRounds {
    private static final String THIS = "this build";
    private static final String OTHER = "the other build";
    private static final List<String> MODES = List.of("node", "controller");
    private static final List<String> OPERATIONS =
            List.of("Probe", "CreateVolume", "DeleteVolume", "NodePublishVolume", "NodeUnpublishVolume");
    private static final int[] CALLERS = {1, 32};
    private static final int STARTS = 3;
    private static final PrintStream OUT = System.out;

    private final Map<String, List<String>> builds;
    private final Path folder;
    private final Results results;
    private final boolean mounts;

    BesideRounds(List<String> ours, List<String> other, Path folder, Results results, boolean mounts) {
        this.builds = Map.of(THIS, ours, OTHER, other);
        this.folder = folder;
        this.results = results;
        this.mounts = mounts;
    }

    void round(int round, int scale) throws Exception {
        List<String> order = round % 2 == 0 ? List.of(OTHER, THIS) : List.of(THIS, OTHER);
        for (int i = 0; i < STARTS; i++) {
            for (String who : order) {
                for (String mode : MODES) {
                    start(who, mode);
                }
            }
        }
        for (String who : order) {
            OUT.printf("  %s%n", who);
            load(who, scale);
        }
    }

    private void start(String who, String mode) throws Exception {
        Path work = Files.createTempDirectory(folder, "beside-start");
        Path socket = work.resolve("csi.sock");
        List<String> command = command(who, Subject.proxyFile(work, 1), socket, List.of(mode));
        try (DriverProcess server =
                DriverProcess.start(command, Commands.ENVIRONMENT, socket, work.resolve("server.log"))) {
            results.add("start %s, %s".formatted(mode, who), server.startMillis());
            Thread.sleep(2000);
            results.add(
                    "idle rss %s, %s".formatted(mode, who),
                    Memory.of(server.pid()).rss());
        }
    }

    private void load(String who, int scale) throws Exception {
        Path work = Files.createTempDirectory(folder, "beside-load");
        Path socket = work.resolve("csi.sock");
        List<String> command = command(who, Subject.hostpathFile(work, "root"), socket, List.of("controller", "node"));
        Subject subject = new Subject(who, command, Commands.ENVIRONMENT, socket, List.of(Map.of()));
        try (DriverProcess server =
                        DriverProcess.start(command, Commands.ENVIRONMENT, socket, work.resolve("server.log"));
                CsiClient client = new CsiClient(server.socket())) {
            new Scenario(subject, client, pods(work, "warm"), scale).round(new Results(), mounts, CALLERS);
            new Scenario(subject, client, pods(work, "pods"), scale).round(results, mounts, CALLERS);
            results.add("loaded rss, " + who, Memory.of(server.pid()).rss());
        }
    }

    private List<String> command(String who, Path file, Path socket, List<String> modes) {
        return Commands.ofBuild(builds.getOrDefault(who, List.of()), file, socket, modes);
    }

    private static Path pods(Path work, String name) throws IOException {
        return Files.createDirectories(work.resolve(name));
    }

    /** Returns the table of a run, or an empty text if no other build was measured. */
    static String markdown(Results results) {
        StringBuilder lines = new StringBuilder();
        for (String mode : MODES) {
            value(results, "start %s, ".formatted(mode), "start, %s, ms".formatted(mode), lines);
            value(results, "idle rss %s, ".formatted(mode), "resident memory at rest, %s, MiB".formatted(mode), lines);
        }
        value(results, "loaded rss, ", "resident memory after the calls, MiB", lines);
        for (String operation : OPERATIONS) {
            for (int callers : CALLERS) {
                String what = "%s, callers: %d, ".formatted(operation, callers);
                calls(results, new Cell(THIS, operation, callers), what + "p50 ms", Sample::p50, lines);
                calls(results, new Cell(THIS, operation, callers), what + "a second", Sample::rate, lines);
            }
        }
        return lines.isEmpty()
                ? ""
                : "| what | this build | the other build | ratio, median | least to most |\n|---|---:|---:|---:|---:|\n"
                        + lines;
    }

    private static void value(Results results, String name, String what, StringBuilder lines) {
        List<Double> ours = results.values().get(name + THIS);
        List<Double> theirs = results.values().get(name + OTHER);
        if (ours != null && theirs != null) {
            var _ = lines.append(line(what, Comparison.of(ours, theirs)));
        }
    }

    private static void calls(
            Results results, Cell cell, String what, ToDoubleFunction<Sample> value, StringBuilder lines) {
        Rounds ours = results.cells().get(cell);
        Rounds theirs = results.cells().get(new Cell(OTHER, cell.operation(), cell.callers()));
        if (ours != null && theirs != null) {
            var _ = lines.append(line(what, Comparison.of(ours, theirs, value)));
        }
    }

    private static String line(String what, Comparison found) {
        return String.format(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.3f | %.2f to %.2f |%n",
                what,
                found.ours(),
                found.theirs(),
                found.median(),
                found.ratios().getFirst(),
                found.ratios().getLast());
    }
}
