package dev.fairlead.benchmarks.measured;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Holds the samples of one cell over all rounds. */
public final class Rounds {
    private final List<Sample> samples = new ArrayList<>();

    public void add(Sample sample) {
        samples.add(sample);
    }

    public boolean isEmpty() {
        return samples.isEmpty();
    }

    /** Returns one value for each round, in their order. */
    public List<Double> values(ToDoubleFunction<Sample> of) {
        return samples.stream().mapToDouble(of).boxed().toList();
    }

    public double median(ToDoubleFunction<Sample> of) {
        double[] sorted = samples.stream().mapToDouble(of).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** Returns half the distance between the least and the greatest value, as a fraction of the median. */
    public double spread(ToDoubleFunction<Sample> of) {
        double[] sorted = samples.stream().mapToDouble(of).sorted().toArray();
        return (sorted[sorted.length - 1] - sorted[0]) / 2 / median(of);
    }
}
