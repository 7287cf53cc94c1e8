package dev.fairlead.domain.access;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The nodes that a volume is published to, each once; equal ones are equal texts.
 *
 * @param all in the order of the nodes' names
 */
public record Grants(List<Grant> all) {
    public static final Grants NONE = new Grants(List.of());

    /** A value that is never empty: some stores keep no empty ones. */
    private static final String NOBODY = "none";

    public Grants {
        all = all.stream().sorted(Comparator.comparing(Grant::node)).toList();
    }

    /** The grants as one text. What cannot be read lets nobody in. */
    static Grants parse(String text) {
        return new Grants(Arrays.stream(text.split(",", -1))
                .flatMap(each -> Grant.parse(each).stream())
                .toList());
    }

    /** The value of the note {@link Access#GRANTS}. */
    public String text() {
        return all.isEmpty() ? NOBODY : all.stream().map(Grant::text).collect(Collectors.joining(","));
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public Optional<Grant> of(String node) {
        return all.stream().filter(each -> each.node().equals(node)).findFirst();
    }

    /** The same with this one, in the place of what its node had. */
    public Grants with(Grant grant) {
        return new Grants(Stream.concat(without(grant.node()).all.stream(), Stream.of(grant))
                .toList());
    }

    /** The same without what a node has. */
    public Grants without(String node) {
        return new Grants(all.stream().filter(each -> !each.node().equals(node)).toList());
    }

    /**
     * A node that has the volume and may not share it with this one's, or is one that this one's may not share it with.
     */
    public Optional<Grant> inTheWayOf(Grant wanted) {
        return all.stream()
                .filter(each -> !each.node().equals(wanted.node()))
                .filter(each -> wanted.isExclusive() || each.isExclusive())
                .findFirst();
    }

    /** Each initiator with whether it may only read. One that two nodes share may do what either of them may. */
    public SortedMap<String, Boolean> initiators() {
        SortedMap<String, Boolean> initiators = new TreeMap<>();
        all.forEach(each -> initiators.merge(each.initiator(), each.readonly(), Boolean::logicalAnd));
        return initiators;
    }

    /** As a note of the volume. */
    public Map<String, String> note() {
        return Map.of(Access.GRANTS, text());
    }
}
