package dev.fairlead.lab.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Collects the times of calls by kind, in milliseconds, since they were last taken. */
public final class Latencies {
    private final Map<String, List<Double>> millis = new ConcurrentHashMap<>();

    public void add(String kind, long nanos) {
        millis.computeIfAbsent(kind, _ -> Collections.synchronizedList(new ArrayList<>()))
                .add(nanos / 1e6);
    }

    /** Takes the times of a kind: what is noted from now on belongs to the next interval. */
    public Interval take(String kind) {
        List<Double> taken = millis.remove(kind);
        if (taken == null) {
            return new Interval(List.of());
        }
        synchronized (taken) {
            return new Interval(taken.stream().sorted().toList());
        }
    }

    /**
     * Holds the calls of one kind in one interval.
     *
     * @param sorted their times in milliseconds, the shortest first
     */
    public record Interval(List<Double> sorted) {
        public double percentile(int percent) {
            return sorted.isEmpty()
                    ? Double.NaN
                    : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
        }

        public double longest() {
            return sorted.isEmpty() ? Double.NaN : sorted.getLast();
        }
    }
}
