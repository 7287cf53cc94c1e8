package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A mark that a run has to reach. A mark whose subject was not measured is reported as left out. */
record Reach(String what, Optional<Double> measured, double bound, boolean atMost) {
    private static final String US = "fairlead";

    static List<Reach> marks(Results results) {
        List<Reach> marks = new ArrayList<>();
        marks.add(atMost("start to first Probe, node, ms", results.value("start node ms"), 600));
        marks.add(atMost(
                "start to first Probe, controller with ten connections, ms",
                results.value("start controller ms"),
                600));
        marks.add(atMost("idle RSS, node, MiB", results.value("idle rss node MiB"), 64));
        marks.add(
                atMost("idle RSS, controller with ten connections, MiB", results.value("idle rss controller MiB"), 80));
        Optional<Double> floor = results.p50("floor: mkdir and a synced file", "CreateVolume", 1);
        Optional<Double> create = results.p50(US, "CreateVolume", 1);
        marks.add(atMost(
                "CreateVolume p50 at one caller, times the floor",
                create.flatMap(ours -> floor.map(f -> ours / f)),
                3));
        for (String user : PeerRounds.USERS) {
            marks.add(atMost(
                    "CreateVolume p50 at one caller, as a part of democratic-csi's, user " + user,
                    Comparison.of(results, "CreateVolume", "disk", user, 1, Sample::p50)
                            .map(Comparison::median),
                    0.25));
        }
        marks.add(atLeast("CreateVolume a second at 32 callers", results.rate(US, "CreateVolume", 32), 2300));
        marks.add(atMost("NodePublishVolume p50 at one caller, ms", results.p50(US, "NodePublishVolume", 1), 3));
        marks.add(atLeast(
                "NodePublishVolume rate at 32 callers, times democratic-csi's",
                Comparison.of(results, "NodePublishVolume", "disk", "0", 32, Sample::rate)
                        .map(Comparison::median),
                4));
        return marks;
    }

    private static Reach atMost(String what, Optional<Double> measured, double bound) {
        return new Reach(what, measured, bound, true);
    }

    private static Reach atLeast(String what, Optional<Double> measured, double bound) {
        return new Reach(what, measured, bound, false);
    }

    boolean missed() {
        return measured.map(value -> atMost ? value > bound : value < bound).orElse(false);
    }
}
