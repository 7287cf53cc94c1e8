package dev.fairlead.benchmarks.measured;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Holds all that a run has measured so far. */
public final class Results {
    private final Map<Cell, Rounds> cells = new TreeMap<>();
    private final Map<String, List<Double>> values = new TreeMap<>();

    public void add(Cell cell, Sample sample) {
        cells.computeIfAbsent(cell, c -> new Rounds()).add(sample);
    }

    /** Adds a single number such as a start time in milliseconds or a memory size in MiB. */
    public void add(String name, double value) {
        values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    }

    public Map<Cell, Rounds> cells() {
        return cells;
    }

    public Map<String, List<Double>> values() {
        return values;
    }

    public Optional<Double> p50(String subject, String operation, int callers) {
        return Optional.ofNullable(cells.get(new Cell(subject, operation, callers)))
                .map(rounds -> rounds.median(Sample::p50));
    }

    public Optional<Double> rate(String subject, String operation, int callers) {
        return Optional.ofNullable(cells.get(new Cell(subject, operation, callers)))
                .map(rounds -> rounds.median(Sample::rate));
    }

    public Optional<Double> value(String name) {
        return Optional.ofNullable(values.get(name)).map(Results::median);
    }

    public static double median(List<Double> list) {
        double[] sorted = list.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
