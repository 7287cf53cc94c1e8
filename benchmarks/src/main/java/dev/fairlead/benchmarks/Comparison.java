package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Rounds;
import dev.fairlead.benchmarks.measured.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Tells what Fairlead takes as a multiple of what democratic-csi takes, from the rounds of one run.
 *
 * @param ours Fairlead's median of the rounds
 * @param theirs democratic-csi's median of the rounds
 * @param ratios Fairlead's value divided by democratic-csi's, for each round by itself, in ascending order
 */
record Comparison(double ours, double theirs, List<Double> ratios) {
    static Comparison of(Rounds ours, Rounds theirs, ToDoubleFunction<Sample> value) {
        return of(ours.values(value), theirs.values(value));
    }

    static Comparison of(List<Double> ours, List<Double> theirs) {
        List<Double> ratios = IntStream.range(0, Math.min(ours.size(), theirs.size()))
                .mapToObj(round -> ours.get(round) / theirs.get(round))
                .sorted()
                .toList();
        return new Comparison(Results.median(ours), Results.median(theirs), ratios);
    }

    double median() {
        return Results.median(ratios);
    }

    /** Returns the table of a run, or an empty text if the peer was not measured. */
    static String markdown(Results results) {
        List<String> lines = new ArrayList<>();
        for (String operation : List.of("CreateVolume", "DeleteVolume", "NodePublishVolume", "NodeUnpublishVolume")) {
            for (String place : List.of("disk", "tmpfs")) {
                for (String user : PeerRounds.USERS) {
                    for (int callers : PeerRounds.CALLERS) {
                        calls(results, operation, place, user, callers, lines);
                    }
                }
            }
        }
        for (String type : StoragePeerRounds.TYPES) {
            for (String operation : StoragePeerRounds.OPERATIONS) {
                for (int callers : StoragePeerRounds.CALLERS) {
                    onStorage(results, operation, type, callers, lines);
                }
            }
        }
        value(results, "start %s ms", "start to the first answer, controller, ms", lines);
        value(results, "idle rss %s MiB", "resident memory at rest, controller, MiB", lines);
        for (String user : PeerRounds.USERS) {
            value(
                    results,
                    "loaded rss %s, disk, user " + user + " MiB",
                    "resident memory after the calls on disk, user " + user + ", MiB",
                    lines);
        }
        return lines.isEmpty()
                ? ""
                : "| what | Fairlead | democratic-csi | ratio, median | least to most |\n|---|---:|---:|---:|---:|\n"
                        + String.join("", lines);
    }

    /**
     * Returns the comparison of an operation on a disk or in memory, with this owner; empty unless both drivers were
     * measured at it.
     */
    static Optional<Comparison> of(
            Results results, String operation, String place, String user, int callers, ToDoubleFunction<Sample> value) {
        Rounds ours =
                results.cells().get(new Cell(PeerRounds.subject(PeerRounds.FAIRLEAD, place, user), operation, callers));
        Rounds theirs =
                results.cells().get(new Cell(PeerRounds.subject(PeerRounds.PEER, place, user), operation, callers));
        return ours == null || theirs == null ? Optional.empty() : Optional.of(of(ours, theirs, value));
    }

    private static void calls(
            Results results, String operation, String place, String user, int callers, List<String> lines) {
        String what = operation.startsWith("Node")
                ? "%s, callers: %d".formatted(operation, callers)
                : "%s on %s, user %s, callers: %d".formatted(operation, place, user, callers);
        of(results, operation, place, user, callers, Sample::p50)
                .ifPresent(found -> lines.add(found.line(what + ", p50 ms")));
        if (callers > 1 && !operation.equals("NodeUnpublishVolume")) {
            of(results, operation, place, user, callers, Sample::rate)
                    .ifPresent(found -> lines.add(found.line(what + ", a second")));
        }
    }

    private static void onStorage(Results results, String operation, String type, int callers, List<String> lines) {
        Rounds ours =
                results.cells().get(new Cell(StoragePeerRounds.subject(PeerRounds.FAIRLEAD, type), operation, callers));
        Rounds theirs =
                results.cells().get(new Cell(StoragePeerRounds.subject(PeerRounds.PEER, type), operation, callers));
        if (ours == null || theirs == null) {
            return;
        }
        String what = "%s, %s, callers: %d".formatted(operation, type, callers);
        lines.add(of(ours, theirs, Sample::p50).line(what + ", p50 ms"));
        if (callers > 1) {
            lines.add(of(ours, theirs, Sample::rate).line(what + ", a second"));
        }
    }

    private static void value(Results results, String name, String what, List<String> lines) {
        List<Double> ours = results.values().get(name.formatted(PeerRounds.FAIRLEAD));
        List<Double> theirs = results.values().get(name.formatted(PeerRounds.PEER));
        if (ours != null && theirs != null) {
            lines.add(of(ours, theirs).line(what));
        }
    }

    private String line(String what) {
        String form = ours >= 100
                ? "| %s | %.0f | %.0f | %.2f | %.2f to %.2f |%n"
                : "| %s | %.2f | %.2f | %.2f | %.2f to %.2f |%n";
        return String.format(Locale.ROOT, form, what, ours, theirs, median(), ratios.getFirst(), ratios.getLast());
    }
}
