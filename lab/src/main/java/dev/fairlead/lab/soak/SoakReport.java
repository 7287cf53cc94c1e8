package dev.fairlead.lab.soak;

import dev.fairlead.lab.report.Latencies;
import dev.fairlead.lab.soak.audit.LeftOver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes the table that a soak ends with. */
final class SoakReport {
    private final List<String> lines = new ArrayList<>();

    /** Returns the lines, in order. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    SoakReport counts(Tally tally) {
        row("what", "count");
        row("lives", text(tally.of("lives")));
        for (Protocol protocol : Protocol.values()) {
            row("  " + protocol.words(), text(tally.of("lives, " + protocol.words())));
        }
        for (String what : List.of(
                "pods",
                "moves",
                "restarts of pods",
                "kept",
                "read again",
                "lost",
                "wrong",
                "torn",
                "slots that ended early")) {
            row(named(what), text(tally.of(what)));
        }
        row("torments", text(tally.of("torments")));
        for (TormentKind kind : TormentKind.values()) {
            row("  " + kind.words(), text(tally.of(kind.words())));
        }
        return this;
    }

    private static String named(String what) {
        return switch (what) {
            case "pods" -> "pods started";
            case "moves" -> "of them on a volume that was written before";
            case "kept" -> "records that were said to be kept";
            case "read again" -> "records read again, in each pod from the first on";
            case "lost" -> "records lost";
            case "wrong" -> "lines that nobody wrote";
            case "torn" -> "records that a cut left a part of";
            default -> what;
        };
    }

    /** Adds the times of each step in seconds, of all volumes and of each protocol. */
    SoakReport times(Latencies latencies) {
        lines.add("");
        row("seconds", "count", "p50", "p99", "longest");
        for (LifeStep step : LifeStep.values()) {
            times(step.words(), latencies.take(step.words()));
            for (Protocol protocol : Protocol.values()) {
                times("  " + protocol.words(), latencies.take(step.words() + ", " + protocol.words()));
            }
        }
        return this;
    }

    private void times(String what, Latencies.Interval interval) {
        row(
                what,
                text(interval.sorted().size()),
                seconds(interval.percentile(50)),
                seconds(interval.percentile(99)),
                seconds(interval.longest()));
    }

    SoakReport decisions(Map<String, Long> decisions, long disks) {
        lines.add("");
        row("what nodes decided of devices", "count");
        decisions.forEach((decision, count) -> row("  " + decision, text(count)));
        row("disks made", text(disks));
        return this;
    }

    /** Adds what stood before mkfs on the nodes has noted. */
    SoakReport formats(List<String> table) {
        lines.add("");
        lines.addAll(table);
        return this;
    }

    /**
     * Adds what is left, of each kind.
     *
     * @param most what was seen of each kind while volumes were in use
     */
    SoakReport leftOvers(Collection<LeftOver> left, Map<LeftOver.Kind, Long> most) {
        lines.add("");
        row("what there was", "in use", "left");
        for (LeftOver.Kind kind : LeftOver.Kind.values()) {
            long count = left.stream().filter(it -> it.kind() == kind).count();
            row(kind.words(), text(most.getOrDefault(kind, 0L)), text(count));
        }
        return this;
    }

    private static String text(long count) {
        return Long.toString(count);
    }

    private static String seconds(double millis) {
        return Double.isNaN(millis) ? "-" : String.format(Locale.ROOT, "%.1f", millis / 1000);
    }

    private void row(String what, String... cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-52s", what));
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, " %9s", cell));
        }
        lines.add(line.toString());
    }
}
