package dev.fairlead.domain.topology;

import java.util.Map;
import java.util.TreeMap;

/** Holds the prefix that all topology keys of one plugin share; configuration leaves it out. */
public record TopologyPrefix(String value) {
    /** The prefix of democratic-csi. */
    public static final TopologyPrefix DEFAULT = new TopologyPrefix("org.democratic-csi.topology");

    public TopologyPrefix {
        TopologyLabels.prefixProblem(value).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }

    /** Returns the full key: a short one gets the prefix, one that has it already stays. */
    public String key(String shortKey) {
        return shortKey.startsWith(value + "/") ? shortKey : value + "/" + shortKey;
    }

    /**
     * Returns the segment of these short keys.
     *
     * @throws IllegalArgumentException if a key or value is not a label's
     */
    public TopologySegment segment(Map<String, String> shortLabels) {
        Map<String, String> labels = new TreeMap<>();
        shortLabels.forEach((key, label) -> {
            if (labels.put(key(key), label) != null) {
                throw new IllegalArgumentException(
                        "key '" + key(key) + "' is given twice, with its prefix and without");
            }
        });
        TopologyLabels.problem(labels).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        return TopologySegment.of(labels);
    }

    @Override
    public String toString() {
        return value;
    }
}
