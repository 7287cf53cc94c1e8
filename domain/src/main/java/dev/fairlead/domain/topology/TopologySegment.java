package dev.fairlead.domain.topology;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A segment is one place: label keys, prefix included, and their values; all of them hold there (CSI
 * {@code Topology.segments}).
 */
public record TopologySegment(SortedMap<String, String> labels) {
    /** The segment that no label restricts. */
    public static final TopologySegment EVERYWHERE = of(Map.of());

    public TopologySegment {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public static TopologySegment of(Map<String, String> labels) {
        return new TopologySegment(new TreeMap<>(labels));
    }

    /**
     * Says whether the two agree on every key that both have; a key that one lacks restricts nothing. Keys are compared
     * without regard to case, as CSI asks.
     */
    public boolean agreesWith(TopologySegment other) {
        var theirs = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        theirs.putAll(other.labels);
        return labels.entrySet().stream()
                .allMatch(e -> e.getValue().equals(theirs.getOrDefault(e.getKey(), e.getValue())));
    }

    @Override
    public String toString() {
        return labels.toString();
    }
}
