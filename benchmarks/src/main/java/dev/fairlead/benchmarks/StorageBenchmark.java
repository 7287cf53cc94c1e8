package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Sample;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Measures {@code zfs-generic-nfs} on a real pool, beside the floor: one script over one open SSH session that has the
 * same effect and reads it back. The two take turns, so that a machine that drifts drifts for both.
 *
 * <p>Started by {@code benchmarks/storage}. Compare only numbers of one run.
 */
public final class StorageBenchmark {
    private static final PrintStream OUT = System.out;
    private static final String US = "fairlead";
    private static final String FLOOR = "floor: one script";
    private static final int MANY = 100;

    private final StorageRig rig;
    private final int[] callers;
    private final Results results = new Results();
    private int serial;

    private StorageBenchmark(StorageRig rig, int[] callers) {
        this.rig = rig;
        this.callers = callers;
    }

    /**
     * Lists the parts that may be measured alone: calls that change something, a hundred at once, lists, and
     * democratic-csi.
     */
    private enum Part {
        CALLS,
        MANY,
        LISTS,
        PEER
    }

    /**
     * Runs the benchmark; arguments: rounds, calls at one caller in each round, callers at once, numbers of volumes to
     * list, parts, the report's file.
     */
    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        int calls = Integer.parseInt(args[1]);
        int[] callers = numbers(args[2]);
        int[] listed = numbers(args[3]);
        Set<Part> parts = EnumSet.noneOf(Part.class);
        for (String part : args[4].split(",", -1)) {
            parts.add(Part.valueOf(part.toUpperCase(Locale.ROOT)));
        }
        boolean missed;
        try (StorageRig rig = StorageRig.enter()) {
            missed = new StorageBenchmark(rig, callers).run(rounds, calls, listed, parts, Path.of(args[5]));
        }
        System.exit(missed ? 1 : 0);
    }

    private static int[] numbers(String list) {
        return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    private boolean run(int rounds, int calls, int[] listed, Set<Part> parts, Path report) throws Exception {
        turn(1, 2, new Results()); // opens the SSH session, and fills the caches
        List<Reach> marks = new ArrayList<>();
        if (parts.contains(Part.CALLS)) {
            calls(rounds, calls);
            marks.add(ratio("CreateVolume", 1, 1.5));
            marks.add(grows(1, 8));
        }
        if (parts.contains(Part.MANY)) {
            OUT.printf("%d at once%n", MANY);
            many();
        }
        if (parts.contains(Part.LISTS)) {
            for (int count : listed) {
                OUT.printf("%d volumes to list%n", count);
                lists(count, rounds);
                marks.add(ratio("ListVolumes of " + count, 1, 1.5));
            }
        }
        if (parts.contains(Part.PEER)) {
            peer(rounds, calls);
        }
        OUT.println();
        OUT.println(Report.markdown(results, marks));
        keep(report, marks);
        return marks.stream().anyMatch(Reach::missed);
    }

    private void calls(int rounds, int calls) throws InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            for (int atOnce : callers) {
                OUT.printf("round %d of %d: %d at once%n", round, rounds, atOnce);
                turn(atOnce, Math.max(calls, 2 * atOnce), results);
            }
        }
    }

    private void turn(int atOnce, int count, Results into) throws InterruptedException {
        int run = serial++;
        tell(
                into,
                new Cell(FLOOR, "CreateVolume", atOnce),
                Load.run(atOnce, count, i -> rig.floorCreate(id("f", run, i))));
        int before = rig.commands();
        tell(into, new Cell(US, "CreateVolume", atOnce), Load.run(atOnce, count, i -> rig.create(id("o", run, i))));
        per("CreateVolume", before, count, into);
        tell(
                into,
                new Cell(FLOOR, "CreateSnapshot", atOnce),
                Load.run(atOnce, count, i -> rig.floorSnapshot(id("f", run, i))));
        before = rig.commands();
        tell(into, new Cell(US, "CreateSnapshot", atOnce), Load.run(atOnce, count, i -> rig.snapshot(id("o", run, i))));
        per("CreateSnapshot", before, count, into);
        rig.destroySnapshots();
        tell(
                into,
                new Cell(FLOOR, "DeleteVolume", atOnce),
                Load.run(atOnce, count, i -> rig.floorDelete(id("f", run, i))));
        before = rig.commands();
        tell(into, new Cell(US, "DeleteVolume", atOnce), Load.run(atOnce, count, i -> rig.delete(id("o", run, i))));
        per("DeleteVolume", before, count, into);
    }

    private static String id(String who, int run, int i) {
        return "pvc-" + who + "-" + run + "-" + i;
    }

    /** Prints each measurement at once, since a run is long and may be cut short. */
    private static void tell(Results into, Cell cell, Sample sample) {
        into.add(cell, sample);
        OUT.printf("  %-40s %9.1f ms, %7.2f a second%n", cell, sample.p50(), sample.rate());
    }

    private void per(String operation, int before, int count, Results into) {
        into.add("commands of a " + operation, (rig.commands() - before) / (double) count);
    }

    /** Makes and deletes a hundred volumes at once; no call may fail, though the server opens only ten channels. */
    private void many() throws InterruptedException {
        int run = serial++;
        tell(results, new Cell(US, "CreateVolume", MANY), Load.run(MANY, MANY, i -> rig.create(id("m", run, i))));
        tell(results, new Cell(US, "DeleteVolume", MANY), Load.run(MANY, MANY, i -> rig.delete(id("m", run, i))));
    }

    private void peer(int rounds, int calls) throws Exception {
        Commands commands = Commands.ofEnvironment();
        var turns = new StoragePeerRounds(commands, commands.peer().orElseThrow(), StorageRig.sshConnection(), results);
        for (int round = 1; round <= rounds; round++) {
            OUT.printf("round %d of %d, beside democratic-csi%n", round, rounds);
            turns.round(round, calls);
        }
    }

    private void lists(int count, int rounds) throws Exception {
        rig.fill(count);
        for (int round = 0; round < rounds; round++) {
            for (int atOnce : callers) {
                int calls = Math.max(2, atOnce);
                tell(
                        results,
                        new Cell(FLOOR, "ListVolumes of " + count, atOnce),
                        Load.run(atOnce, calls, _ -> rig.floorList()));
                int before = rig.commands();
                tell(
                        results,
                        new Cell(US, "ListVolumes of " + count, atOnce),
                        Load.run(atOnce, calls, _ -> rig.list(count)));
                per("ListVolumes of " + count, before, calls, results);
            }
        }
        rig.empty();
    }

    private Reach ratio(String operation, int callers, double bound) {
        Optional<Double> floor = results.p50(FLOOR, operation, callers);
        return new Reach(
                operation + " p50 at one caller, times the floor",
                results.p50(US, operation, callers).flatMap(ours -> floor.map(f -> ours / f)),
                bound,
                true);
    }

    private Reach grows(int few, int more) {
        Optional<Double> alone = results.rate(US, "CreateVolume", few);
        return new Reach(
                "CreateVolume a second at " + more + " callers, times that at " + few,
                results.rate(US, "CreateVolume", more).flatMap(rate -> alone.map(one -> rate / one)),
                1,
                false);
    }

    private void keep(Path report, List<Reach> marks) throws IOException {
        Files.createDirectories(report.toAbsolutePath().getParent());
        Files.writeString(report.resolveSibling(report.getFileName() + ".md"), Report.markdown(results, marks));
        Files.writeString(report, Report.json(results, marks));
    }
}
