package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Sample;
import dev.fairlead.benchmarks.truenas.TruenasRig;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures {@code freenas-api-nfs} and {@code freenas-api-iscsi} on a simulated box that is 5 ms away, beside the
 * floor: a client on one open socket, written by hand, that has the same effects and reads them back. The two take
 * turns.
 *
 * <p>Started by {@code benchmarks/truenas}. Compare only numbers of one run.
 */
public final class TruenasBenchmark {
    private static final PrintStream OUT = System.out;
    private static final String US = "fairlead, ";
    private static final String FLOOR = "floor: one socket, ";
    private static final int[] CALLERS = {1, 8, 32};
    private static final int MANY = 100;
    private static final double BOUND = 1.5;

    private final TruenasRig rig;
    private final String protocol;
    private final Results results;
    private int serial;

    private TruenasBenchmark(TruenasRig rig, String protocol, Results results) {
        this.rig = rig;
        this.protocol = protocol;
        this.results = results;
    }

    /** Runs the benchmark; arguments: rounds, calls at one caller in each round, volumes to list, the report's file. */
    public static void main(String[] args) throws Exception {
        var results = new Results();
        List<Reach> marks = new ArrayList<>();
        for (String protocol : List.of("nfs", "iscsi")) {
            Path folder = Files.createTempDirectory("fairlead-benchmark");
            try (TruenasRig rig = TruenasRig.start(protocol.equals("iscsi"), 10, folder)) {
                var benchmark = new TruenasBenchmark(rig, protocol, results);
                benchmark.turn(1, 3, new Results());
                for (int round = 1; round <= Integer.parseInt(args[0]); round++) {
                    for (int callers : CALLERS) {
                        OUT.printf("%s, round %d: %d at once%n", protocol, round, callers);
                        benchmark.turn(callers, Math.max(Integer.parseInt(args[1]), 2 * callers), results);
                    }
                }
                benchmark.many(marks);
                if (protocol.equals("nfs")) {
                    benchmark.list(Integer.parseInt(args[2]), marks);
                }
                benchmark.marks(marks);
            }
        }
        OUT.println();
        OUT.println(Report.markdown(results, marks));
        Path report = Path.of(args[3]);
        Files.createDirectories(report.toAbsolutePath().getParent());
        Files.writeString(report.resolveSibling(report.getFileName() + ".md"), Report.markdown(results, marks));
        Files.writeString(report, Report.json(results, marks));
        System.exit(marks.stream().anyMatch(Reach::missed) ? 1 : 0);
    }

    private void turn(int callers, int count, Results into) throws InterruptedException {
        int run = serial++;
        pair("CreateVolume", callers, count, i -> rig.floorCreate(id(run, i)), i -> rig.create(id(run, i)), into);
        pair("CreateSnapshot", callers, count, i -> rig.floorSnapshot(id(run, i)), i -> rig.snapshot(id(run, i)), into);
        pair(
                "DeleteSnapshot",
                callers,
                count,
                i -> rig.floorDeleteSnapshot(id(run, i)),
                i -> rig.deleteSnapshot(id(run, i)),
                into);
        pair("DeleteVolume", callers, count, i -> rig.floorDelete(id(run, i)), i -> rig.delete(id(run, i)), into);
    }

    private static String id(int run, int i) {
        return "pvc-" + run + "-" + i;
    }

    private void pair(String operation, int callers, int count, Load.Operation floor, Load.Operation ours, Results into)
            throws InterruptedException {
        measured(FLOOR + protocol, operation, callers, count, floor, into);
        measured(US + protocol, operation, callers, count, ours, into);
    }

    private void measured(String who, String operation, int callers, int count, Load.Operation made, Results into)
            throws InterruptedException {
        int _ = rig.calls();
        Sample sample = Load.run(callers, count, made);
        into.add(new Cell(who, operation, callers), sample);
        double calls = rig.calls() / (double) count;
        into.add("calls of a " + operation + ", " + who, calls);
        OUT.printf(
                "  %-50s %9.1f ms, %7.1f a second, %.1f calls%n",
                operation + " " + who, sample.p50(), sample.rate(), calls);
    }

    /** Makes a hundred volumes at once, none of which may fail, though a box takes ten calls and ten more. */
    private void many(List<Reach> marks) throws InterruptedException {
        int run = serial++;
        measured(US + protocol, "CreateVolume", MANY, MANY, i -> rig.create(id(run, i)), results);
        measured(US + protocol, "DeleteVolume", MANY, MANY, i -> rig.delete(id(run, i)), results);
        marks.add(new Reach(protocol + ": sockets of ten connections", Optional.of((double) rig.sockets()), 1, true));
    }

    private void list(int volumes, List<Reach> marks) throws InterruptedException {
        int run = serial++;
        Load.run(MANY, volumes, i -> rig.create(id(run, i)));
        measured(US + protocol, "ListVolumes of " + volumes, 1, 3, _ -> requireAll(volumes), results);
        marks.add(new Reach(
                "calls of a ListVolumes of " + volumes,
                results.value("calls of a ListVolumes of " + volumes + ", " + US + protocol),
                1,
                true));
    }

    private void requireAll(int volumes) {
        int found = rig.list();
        if (found != volumes) {
            throw new IllegalStateException("listed " + found + " volumes of " + volumes);
        }
    }

    private void marks(List<Reach> marks) {
        for (String operation : List.of("CreateVolume", "CreateSnapshot", "DeleteSnapshot", "DeleteVolume")) {
            marks.add(new Reach(
                    protocol + ": " + operation + " p50 at one caller, times the floor",
                    results.p50(US + protocol, operation, 1)
                            .flatMap(ours ->
                                    results.p50(FLOOR + protocol, operation, 1).map(floor -> ours / floor)),
                    BOUND,
                    true));
        }
        for (String operation : List.of("CreateVolume", "DeleteVolume")) {
            if (protocol.equals("nfs")) {
                marks.add(new Reach(
                        "calls of a " + operation + " by NFS",
                        results.value("calls of a " + operation + ", " + US + protocol),
                        5,
                        true));
            }
        }
    }
}
