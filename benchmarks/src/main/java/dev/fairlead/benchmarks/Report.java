package dev.fairlead.benchmarks;

import dev.fairlead.benchmarks.measured.Cell;
import dev.fairlead.benchmarks.measured.Results;
import dev.fairlead.benchmarks.measured.Rounds;
import dev.fairlead.benchmarks.measured.Sample;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes a run as tables for people (Markdown, as in the docs) and as JSON to keep. */
final class Report {
    private Report() {}

    static String markdown(Results results, List<Reach> marks) {
        StringBuilder text = new StringBuilder();
        text.append(
                "| operation | who | callers | a second | p50 ms | p99 ms | spread |\n|---|---|---:|---:|---:|---:|---:|\n");
        results.cells()
                .forEach((cell, rounds) -> text.append(line(
                        "| %s | %s | %d | %.0f | %.3f | %.3f | ±%.0f %% |%n",
                        cell.operation(),
                        cell.subject(),
                        cell.callers(),
                        rounds.median(Sample::rate),
                        rounds.median(Sample::p50),
                        rounds.median(Sample::p99),
                        rounds.spread(Sample::p50) * 100)));
        text.append("\n| value | median | least | most |\n|---|---:|---:|---:|\n");
        results.values()
                .forEach((name, values) -> text.append(line(
                        "| %s | %.1f | %.1f | %.1f |%n",
                        name,
                        Results.median(values),
                        values.stream().mapToDouble(d -> d).min().orElseThrow(),
                        values.stream().mapToDouble(d -> d).max().orElseThrow())));
        text.append('\n').append(Comparison.markdown(results));
        text.append('\n').append(BesideRounds.markdown(results));
        text.append("\n| reach | bound | measured | |\n|---|---:|---:|---|\n");
        for (Reach mark : marks) {
            text.append(line(
                    "| %s | %s %.2f | %s | %s |%n",
                    mark.what(),
                    mark.atMost() ? "≤" : "≥",
                    mark.bound(),
                    mark.measured().map(m -> line("%.2f", m)).orElse("not measured"),
                    mark.measured().isEmpty() ? "left out" : mark.missed() ? "MISSED" : "met"));
        }
        return text.toString();
    }

    static String json(Results results, List<Reach> marks) {
        StringBuilder text = new StringBuilder("{\n  \"cells\": [");
        String comma = "\n";
        for (Map.Entry<Cell, Rounds> entry : results.cells().entrySet()) {
            Cell cell = entry.getKey();
            Rounds rounds = entry.getValue();
            text.append(comma)
                    .append(line(
                            "    {\"operation\": \"%s\", \"subject\": \"%s\", \"callers\": %d, \"rate\": %.1f, \"p50_ms\": %.4f, \"p99_ms\": %.4f, \"spread\": %.3f}",
                            cell.operation(),
                            cell.subject(),
                            cell.callers(),
                            rounds.median(Sample::rate),
                            rounds.median(Sample::p50),
                            rounds.median(Sample::p99),
                            rounds.spread(Sample::p50)));
            comma = ",\n";
        }
        text.append("\n  ],\n  \"values\": {");
        comma = "\n";
        for (Map.Entry<String, List<Double>> entry : results.values().entrySet()) {
            text.append(comma).append(line("    \"%s\": %.2f", entry.getKey(), Results.median(entry.getValue())));
            comma = ",\n";
        }
        text.append("\n  },\n  \"reaches\": [");
        comma = "\n";
        for (Reach mark : marks) {
            text.append(comma)
                    .append(line(
                            "    {\"what\": \"%s\", \"bound\": %.3f, \"at_most\": %b, \"measured\": %s, \"missed\": %b}",
                            mark.what(),
                            mark.bound(),
                            mark.atMost(),
                            mark.measured().map(m -> line("%.3f", m)).orElse("null"),
                            mark.missed()));
            comma = ",\n";
        }
        return text.append("\n  ]\n}\n").toString();
    }

    @SuppressWarnings("AnnotateFormatMethod") // that annotation would be a dependency for one private method
    private static String line(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
