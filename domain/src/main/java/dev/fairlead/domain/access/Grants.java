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
 * Holds the grants of a volume, one for each node that it is published to; equal grants give equal texts.
 *
 * @param all in the order of the nodes' names
 */
public record Grants(List<Grant> all) {
    public static final Grants NONE = new Grants(List.of());

    /** The text for no grants: some stores keep no empty value. */
    private static final String NOBODY = "none";

    public Grants {
        all = all.stream().sorted(Comparator.comparing(Grant::node)).toList();
    }

    /** Reads grants from one text. A part that cannot be read gives access to nobody. */
    static Grants parse(String text) {
        return new Grants(Arrays.stream(text.split(",", -1))
                .flatMap(each -> Grant.parse(each).stream())
                .toList());
    }

    /** Returns the grants as the value of the note {@link Access#GRANTS}. */
    public String text() {
        return all.isEmpty() ? NOBODY : all.stream().map(Grant::text).collect(Collectors.joining(","));
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public Optional<Grant> of(String node) {
        return all.stream().filter(each -> each.node().equals(node)).findFirst();
    }

    /** Returns these grants with this one, which replaces the grant that its node had. */
    public Grants with(Grant grant) {
        return new Grants(Stream.concat(without(grant.node()).all.stream(), Stream.of(grant))
                .toList());
    }

    /** Returns these grants without the one of this node. */
    public Grants without(String node) {
        return new Grants(all.stream().filter(each -> !each.node().equals(node)).toList());
    }

    /**
     * Returns a grant of another node that excludes the wanted one, or that the wanted one excludes; empty if there is
     * none.
     */
    public Optional<Grant> inTheWayOf(Grant wanted) {
        return all.stream()
                .filter(each -> !each.node().equals(wanted.node()))
                .filter(each -> wanted.isExclusive() || each.isExclusive())
                .findFirst();
    }

    /**
     * Returns each initiator with {@code true} if it may only read. One that two nodes share may write if either of
     * them may.
     */
    public SortedMap<String, Boolean> initiators() {
        SortedMap<String, Boolean> initiators = new TreeMap<>();
        all.forEach(each -> initiators.merge(each.initiator(), each.readonly(), Boolean::logicalAnd));
        return initiators;
    }

    /** Returns the grants as a note of the volume. */
    public Map<String, String> note() {
        return Map.of(Access.GRANTS, text());
    }
}
